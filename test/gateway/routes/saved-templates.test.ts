import { describe, expect, it } from 'vitest';
import { aGateway, withJson } from '../v2/a-gateway.js';
import { right } from '../../../src/core/protocol/either.js';
import { template } from '../../../src/workflow/edit/template.js';

const workflow = {
  6: { class_type: 'Encode', inputs: { text: 'a cat' }, _meta: { title: 'Positive' } },
  10: { class_type: 'LoadImage', inputs: { image: { __type: 'core/ASSET', info: { id: 'before' } } } },
};
const portrait = {
  workflow,
  inputs: {
    prompt: { title: 'Positive', input: 'text', label: 'What to paint' },
    image: { class: 'LoadImage', input: 'image', optional: true },
  },
  title: 'Portrait',
};
const alice = { authorization: 'alice' };
const asAlice = { headers: alice };

const ofGateway = () => {
  const made = template(workflow, { words: 'Positive.text' });
  if (made._tag === 'Left') throw made.left;
  return { common: made.right };
};

/** A gateway with a template of its own and one of alice. */
const withTemplates = async (options: Parameters<typeof aGateway>[0] = {}) => {
  const gateway = aGateway({ templates: ofGateway(), ...options });
  const put = await gateway.ask('PUT', '/templates/my%20portrait', withJson(portrait, alice));
  return { ...gateway, put };
};

describe('templates that a caller saves', () => {
  it('are listed to that caller alone, flagged, after those of the gateway', async () => {
    const { ask, put } = await withTemplates();
    expect(put.status).toBe(201);
    const { templates } = (await ask('GET', '/templates', asAlice)).json() as {
      readonly templates: readonly unknown[];
    };
    expect(templates).toMatchObject([
      { name: 'common', own: false },
      {
        ...{ name: 'my portrait', own: true, title: 'Portrait' },
        inputs: { prompt: { id: '6', input: 'text', label: 'What to paint' } },
        jsonSchema: { properties: { prompt: { title: 'What to paint' } }, required: ['prompt'] },
      },
    ]);
    expect(templates[1]).not.toHaveProperty('workflow');
    expect((await ask('GET', '/templates')).json()).toMatchObject({ templates: [{ name: 'common' }] });
  });

  it('are to any other caller as if they were not there', async () => {
    const { ask } = await withTemplates();
    for (const [method, init] of [
      ['GET', {}],
      ['DELETE', {}],
      ['POST', withJson({ inputs: { prompt: 'a' } })],
    ] as const) {
      const foreign = await ask(method, '/templates/my%20portrait', init);
      const unknown = await ask(method, '/templates/unknown', init);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
    expect((await ask('GET', '/templates/my%20portrait', asAlice)).status).toBe(200);
  });

  it('are run by name and inputs, files that were uploaded among them', async () => {
    const { ask, submissions } = await withTemplates();
    const upload = await ask('POST', '/uploads?filename=cat.png', { body: 'abc', ...asAlice });
    const body = { inputs: { prompt: 'a dog', image: upload.json() } };
    const made = await ask('POST', '/templates/my%20portrait', withJson(body, alice));
    expect(made.status).toBe(201);
    const { id } = upload.json()['asset'] as { readonly id: string };
    expect(submissions).toMatchObject([
      {
        template: 'my portrait',
        workflow: { 6: { inputs: { text: 'a dog' } }, 10: { inputs: { image: { info: { id } } } } },
      },
    ]);
    const wrong = await ask('POST', '/templates/my%20portrait', withJson({ inputs: { promt: 'a' } }, alice));
    expect(wrong.json()).toMatchObject({ status: 422, code: 'invalid_inputs' });
  });

  it('are replaced, read whole and deleted', async () => {
    const { ask, clock } = await withTemplates();
    await clock.advance(5);
    const next = { ...portrait, title: 'Another', ui: { nodes: [] } };
    const again = await ask('PUT', '/templates/my%20portrait', withJson(next, alice));
    expect([again.status, again.json()['title']]).toEqual([200, 'Another']);
    const whole = (await ask('GET', '/templates/my%20portrait', asAlice)).json();
    expect(whole).toMatchObject({ own: true, title: 'Another', workflow, ui: { nodes: [] } });
    expect(Number(whole['updatedAt']) - Number(whole['createdAt'])).toBe(5);
    expect((await ask('DELETE', '/templates/my%20portrait', asAlice)).json()).toEqual({
      ...{ name: 'my portrait', deleted: true },
    });
    expect((await ask('GET', '/templates/my%20portrait', asAlice)).status).toBe(404);
  });

  it('have the choices of the node classes in their schema, where the service gives them', async () => {
    const encode = { name: 'Encode', input: { required: { text: [['a cat', 'a dog']] } } };
    const classes = { Encode: { ...encode, output: [], output_node: false, category: '' } };
    const objectInfo = () => () => Promise.resolve(right(classes));
    const { put } = await withTemplates({ service: { objectInfo } });
    expect(put.json()).toMatchObject({
      jsonSchema: { properties: { prompt: { enum: ['a cat', 'a dog'] } } },
    });
  });

  it.each([
    ['a name of the gateway', 'common', portrait, 409, 'template_name_taken'],
    ['a name with a slash', 'a%2Fb', portrait, 422, 'invalid_name'],
    ['a name of control characters', '%07', portrait, 422, 'invalid_name'],
    ['a name with a blank at its end', 'a%20', portrait, 422, 'invalid_name'],
    ['an input of no node', 'a', { workflow, inputs: { a: 'Negative.text' } }, 422, 'invalid_template'],
    ['no inputs', 'a', { workflow }, 422, 'validation_error'],
    ['a member too many', 'a', { ...portrait, owner: 'bob' }, 422, 'validation_error'],
    ['no workflow', 'a', { inputs: {} }, 422, 'validation_error'],
    ['a workflow of the editor', 'a', { workflow: { nodes: [] }, inputs: {} }, 422, 'validation_error'],
    ['a title with a change of direction', 'a', { ...portrait, title: '\u202e' }, 422, 'validation_error'],
  ])('are refused with %s', async (_, name, body, status, code) => {
    const { ask } = await withTemplates();
    const refused = await ask('PUT', `/templates/${name}`, withJson(body, alice));
    expect(refused.json()).toMatchObject({ status, code });
  });

  it('are bounded for each caller, and the refusal says what to do', async () => {
    const { ask } = await withTemplates({ limits: { templates: 1 } });
    const refused = await ask('PUT', '/templates/another', withJson(portrait, alice));
    expect(refused.json()).toMatchObject({
      ...{ status: 409, code: 'too_many_templates', detail: expect.stringContaining('delete one') as string },
    });
    expect((await ask('PUT', '/templates/another', withJson(portrait))).status).toBe(201);
    const small = await withTemplates({ limits: { templateBytes: 100 } });
    expect(small.put.json()).toMatchObject({ status: 409, code: 'too_many_templates' });
  });

  it('leave those of the gateway to its operator', async () => {
    const { ask } = await withTemplates();
    expect((await ask('DELETE', '/templates/common', asAlice)).json()).toMatchObject({
      ...{ status: 403, code: 'template_of_gateway' },
    });
    expect((await ask('GET', '/templates/common', asAlice)).json()).toMatchObject({
      name: 'common',
      own: false,
    });
  });
});
