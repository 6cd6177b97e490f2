import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { annotated } from '../../../src/server/gateway/contract/annotated.js';
import { jsonSchemaOf, type JsonSchema } from '../../../src/server/gateway/openapi/json-schema.js';
import { nullable, object, request, words } from '../../../src/server/gateway/contract/shapes.js';
import * as requests from '../../../src/server/gateway/contract/requests.js';
import * as t from 'io-ts';

const schemaOf = (codec: t.Mixed): JsonSchema => {
  const components = new Map<string, JsonSchema>();
  const schema = jsonSchemaOf(codec, components);
  return { ...schema, components: { schemas: Object.fromEntries(components) } };
};

const node = { class_type: 'A', inputs: { seed: 18446744073709552000 } };

/** Values of every request, and of some parts of answers: those on the left are taken, those on the right are not. */
const values: Readonly<Record<string, [t.Mixed, readonly unknown[], readonly unknown[]]>> = {
  labels: [
    requests.metadata,
    [
      {},
      { a: '' },
      { 'a.b-c_1': 'x'.repeat(500) },
      Object.fromEntries(Array.from({ length: 16 }, (_, i) => [i, ''])),
    ],
    [
      ...[null, [], 'a', { a: 1 }, { 'a b': '' }, { a: 'x'.repeat(501) }, { a: '\u0007' }, { a: '\u202e' }],
      ...[{ ['a'.repeat(41)]: '' }, Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, '']))],
    ],
  ],
  key: [requests.idempotencyKey, ['a', ' a ', 'x'.repeat(255)], ['', '  ', 'ä', 'x'.repeat(256), 1]],
  'API v2': [
    requests.v2Submission,
    [{ workflow: { 1: node } }, { workflow: {}, metadata: {}, extra_data: { api_key_comfy_org: null } }],
    [
      ...[{}, { workflow: [] }, { workflow: { 1: {} } }, { workflow: { 1: { ...node, inputs: [] } } }],
      ...[
        { workflow: {}, extra_data: { api_key_comfy_org: '' } },
        { workflow: {}, metadata: { a: 1 } },
      ],
    ],
  ],
  hash: [requests.v2AssetOfHash, [{ hash: `blake3:${'a'.repeat(64)}`, expires_in: 60 }], [{}, { hash: 'a' }]],
  lifetime: [requests.lifetime, [60, 604_800], [59, 604_801, 60.5, '60', null]],
  template: [requests.templateSubmission, [{}, { inputs: { a: 1 } }], [[], { inputs: [] }]],
  ticket: [
    requests.watchTokenRequest,
    [{}, { job: 'a', seconds: 300 }, { seconds: 0.5 }],
    [{ job: 1 }, { seconds: 0 }, { seconds: 301 }, null],
  ],
  webhook: [
    requests.webhookRegistration,
    [{ url: 'https://a.example', secrets: ['whsec_aaaa'], events: ['job.ended'] }],
    [
      ...[{ url: 'https://a.example' }, { url: 'u', secrets: [] }, { url: 'u', secrets: ['a'] }],
      ...[
        { url: 'u', secrets: ['whsec_aaaa'], events: [] },
        { url: 'u', secrets: ['whsec_aaaa'], events: ['a'] },
      ],
    ],
  ],
  limit: [requests.listLimit, [1, 100], [0, 101, 1.5, '1']],
  words: [nullable(words('a', 'b')), ['a', 'b', null], ['c', 1]],
  union: [
    t.union([t.type({ a: t.number }, 'A'), t.array(t.literal('x'))]),
    [{ a: 1 }, ['x'], []],
    [{}, ['y'], 1],
  ],
  items: [annotated(t.array(t.boolean), { minItems: 1 }), [[true]], [[], [1]]],
};

describe('the JSON Schema of a codec', () => {
  it.each(Object.entries(values))(
    'takes what the codec of %s takes, and nothing else',
    (_, [codec, good, bad]) => {
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schemaOf(codec));
      const verdicts = (all: readonly unknown[]) =>
        all.map((value) => [value, codec.is(value), validate(value)]);
      expect(verdicts(good)).toEqual(good.map((value) => [value, true, true]));
      expect(verdicts(bad)).toEqual(bad.map((value) => [value, false, false]));
    },
  );

  it('refers to codecs with names, puts parts together, and closes requests', () => {
    const part = object('Part', { a: t.string }, { b: annotated(t.number, { multipleOf: 1, minimum: 0 }) });
    expect(schemaOf(request('Whole', { part }, {}))).toEqual({
      $ref: '#/components/schemas/Whole',
      components: {
        schemas: {
          Whole: {
            type: 'object',
            properties: { part: { $ref: '#/components/schemas/Part' } },
            required: ['part'],
            additionalProperties: false,
          },
          Part: {
            type: 'object',
            properties: { a: { type: 'string' }, b: { type: 'integer', minimum: 0 } },
            required: ['a'],
          },
        },
      },
    });
  });

  it('does not exist of functions', () => {
    expect(() => schemaOf(t.Function)).toThrow(TypeError);
  });
});
