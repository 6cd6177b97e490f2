import { createGateway } from '../../../src/gateway.js';
import { expect, it, onTestFinished } from 'vitest';
import { takingService } from '../jobs/written-bodies.js';
import { createClient } from '../../../src/node.js';

const workflow = { 1: { class_type: 'X', inputs: { text: 'a' } } };

/** A gateway before a service that takes each job, and a call that gives the status of its answer and why. */
const running = () => {
  const { platform, sent } = takingService();
  const client = createClient({ baseUrl: 'http://service.test', dialect: 'local', platform });
  const gateway = createGateway({ client, authorize: () => ({ name: 'ann' }) });
  onTestFinished(async () => {
    await gateway.close();
    await client.close();
  });
  const ask = async (path: string, body: object | FormData, method = 'POST') => {
    const isForm = body instanceof FormData;
    const answer = await gateway.fetch(
      new Request(`http://h${path}`, {
        ...{ method, body: isForm ? body : JSON.stringify(body) },
        ...(!isForm && { headers: { 'content-type': 'application/json' } }),
      }),
    );
    const { detail } = (await answer.json()) as { readonly detail?: string };
    return [answer.status, detail];
  };
  return { ask, sent };
};

const formOf = (fields: Readonly<Record<string, unknown>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return form;
};

const tooMany = Object.fromEntries(Array.from({ length: 251 }, (_, nth) => [`${nth}.text`, 'b']));
const tooLong = { [`1.${'.'.repeat(254)}`]: 'b' };

it.each([
  [tooMany, 'There may be 250 inputs by name.'],
  [tooLong, 'The name of an input may have 255 characters.'],
])('T1 inputs by name that take long to find are refused at each door', async (inputs, reason) => {
  const { ask, sent } = running();
  const refused = [422, reason];
  expect(await ask('/jobs', { workflow, inputs })).toEqual(refused);
  expect(await ask('/jobs', formOf({ workflow, inputs }))).toEqual(refused);
  expect(await ask('/jobs', formOf({ workflow, ...inputs }))).toEqual(refused);
  expect(await ask('/templates/a', { workflow, inputs: { text: '1.text' } }, 'PUT')).toEqual([
    201,
    undefined,
  ]);
  expect(await ask('/templates/a', { inputs })).toEqual(refused);
  const targets = Object.fromEntries(Object.keys(inputs).map((name) => [name, '1.text']));
  expect(await ask('/templates/b', { workflow, inputs: targets }, 'PUT')).toEqual(refused);
  expect(sent()).toEqual([]);
});

it('T1 a long target of a template is refused as the name of an input is', async () => {
  const { ask } = running();
  const inputs = { text: Object.keys(tooLong)[0] };
  expect(await ask('/templates/b', { workflow, inputs }, 'PUT')).toEqual([
    422,
    'The name of an input may have 255 characters.',
  ]);
});

it('sets as many inputs as there may be', async () => {
  const { ask } = running();
  const nodes = Object.fromEntries(Array.from({ length: 250 }, (_, nth) => [nth, workflow[1]]));
  const inputs = Object.fromEntries(Object.keys(nodes).map((id) => [`${id}.text`, 'b']));
  expect(await ask('/jobs', { workflow: nodes, inputs })).toEqual([201, undefined]);
});

it.each(['workflow', 'inputs', 'metadata', 'webhook'])(
  'T1 a form whose field %s is nested too deep is refused, and nothing of it is sent',
  async (field) => {
    const { ask, sent } = running();
    const deep = `${'['.repeat(3_000)}18446744073709551615${']'.repeat(3_000)}`;
    expect(await ask('/jobs', formOf({ workflow, [field]: deep }))).toEqual([
      400,
      `The field \`${field}\` is nested deeper than 64 levels.`,
    ]);
    expect(sent()).toEqual([]);
  },
);
