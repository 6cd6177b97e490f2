import { describe, expect, it } from 'vitest';
import { isForm, readCall } from '../../../src/server/gateway/calls/read-call.js';
import { parseExactJson } from '../../../src/core/protocol/json/exact-json.js';

const known = new Set(['workflow', 'inputs', 'metadata']);

const ofJson = async (body: unknown, isEmpty = false) => {
  const request = new Request('http://h/', { method: 'POST' });
  const call = { request, body: isEmpty ? null : new Blob().stream(), json: () => Promise.resolve(body) };
  const none = () => Promise.reject(new Error('no form'));
  return readCall({ ...call, form: none, field: none }, known);
};

const ofForm = (fields: Readonly<Record<string, string | Blob>>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const request = new Request('http://h/', { method: 'POST', body: form });
  const call = { request, body: request.body, json: () => Promise.reject(new Error('no JSON')) };
  const field = async (_: string, value: string | Blob) =>
    parseExactJson(typeof value === 'string' ? value : await value.text());
  return readCall({ ...call, form: () => Promise.resolve(form), field }, known);
};

const refused = (message: string) => ({ left: { status: 422, code: 'validation_error', message } });
const noInputs = refused('`inputs` is no object of names and values.');

describe('a call as JSON', () => {
  it('has its members and the values of its inputs', async () => {
    expect(await ofJson({ workflow: { a: 1 }, inputs: { seed: 7 }, metadata: {} })).toMatchObject({
      right: { members: { workflow: { a: 1 }, metadata: {} }, inputs: { seed: 7 }, texts: new Set() },
    });
    for (const empty of [await ofJson({}), await ofJson('unread', true)])
      expect(empty).toMatchObject({ right: { members: {}, inputs: {} } });
  });

  it('is refused where it is no object, has another member, or its inputs have no names', async () => {
    for (const body of [7, [], null, { workflow: {}, webhok: 1 }])
      expect(await ofJson(body)).toMatchObject({
        left: { status: 422, message: expect.stringContaining('`workflow`, `inputs`') as string },
      });
    for (const inputs of [[], 'a', null]) expect(await ofJson({ inputs })).toMatchObject(noInputs);
  });
});

describe('a call as a form', () => {
  it('has its members as JSON, and inputs as files, as texts, and by `inputs`, of which its own fields come first', async () => {
    const file = new File(['abc'], 'a.png');
    const read = await ofForm({
      ...{ workflow: new Blob(['{"a":18446744073709551615}']), inputs: '{"seed":7,"steps":8}' },
      ...{ steps: '9', photo: file },
    });
    expect(read).toMatchObject({
      right: {
        members: { workflow: { a: 18446744073709551615n } },
        inputs: { seed: 7, steps: '9' },
        texts: new Set(['steps']),
      },
    });
    expect(read).toHaveProperty('right.inputs.photo.name', 'a.png');
    expect(Object.keys((read as { readonly right: { readonly members: object } }).right.members)).toEqual([
      'workflow',
    ]);
  });

  it('is refused where a member is not JSON, or its inputs have no names', async () => {
    await expect(ofForm({ workflow: '{' })).rejects.toThrow('JSON');
    expect(await ofForm({ inputs: '[]' })).toMatchObject(noInputs);
  });

  it.each([
    ['multipart/form-data; boundary=x', true],
    ['Multipart/Form-Data', true],
    ['application/json', false],
    ['x-multipart/form-data', false],
    ['multipart/form-database', false],
    [undefined, false],
  ])('is told by its type: %s', (type, is) => {
    expect(isForm({ headers: new Headers(type === undefined ? {} : { 'content-type': type }) })).toBe(is);
  });
});
