import { randomBytes } from 'node:crypto';

/** One request at the bounds of what a gateway takes by default: 16 MiB, 100,000 values, 256 MiB of an upload. */
export interface LargeCall {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: () => BodyInit;
  /** Default `application/json`, and of a form what `fetch` says. */
  readonly type?: string;
  /** What answers that it was worked on. */
  readonly expects: number;
}

/** Calls by the entrance that they come through. */
export type LargeCalls = Readonly<Record<string, readonly LargeCall[]>>;

const mebi = 2 ** 20;
/** So many nodes with two inputs each are just taken. */
const manyNodes = 14_000;

const record = (count: number, member: (nth: number) => readonly [string, unknown]): object =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => member(nth)));
const nodes = (count: number, node: (nth: number) => object): object =>
  record(count, (nth) => [String(nth), node(nth)]);
const of = (class_type: string, inputs: object, title?: string): object => ({
  ...{ class_type, inputs },
  ...(title !== undefined && { _meta: { title } }),
});
const json = (value: unknown) => (): string => JSON.stringify(value);
const form = (fields: Readonly<Record<string, string | Blob>>) => (): FormData => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  return made;
};

/** A text, shown by the one node that runs. */
const textJob = (value: string): object => ({
  1: of('PrimitiveStringMultiline', { value }),
  2: of('SlowNode', { steps: 1, anything: ['1', 0] }),
});
/** Nodes that run one after the other. */
const chain = (count: number, more: (nth: number) => object = () => ({})): object =>
  nodes(count, (nth) =>
    of('SlowNode', { steps: 1, ...(nth > 0 && { anything: [`${nth - 1}`, 0] }), ...more(nth) }),
  );
/** A workflow of nodes whose text makes it as large as a body may be. */
const wide = nodes(manyNodes, (nth) => of('X', { text: 'x'.repeat(1_100), from: [String(nth), 0] }));
const nested = (levels: number): unknown => (levels === 0 ? 2n ** 60n === 0n : [nested(levels - 1)]);

/** A file of the editor. */
const editorFile = (count: number, node: (nth: number) => object): object => ({
  nodes: Array.from({ length: count }, (_, id) => ({ id, ...node(id) })),
  links: Array.from({ length: count }, (_, id) => [id, id - 1, 0, id, 0, '*']),
});
const linked = (nth: number): object => ({
  inputs: [{ name: 'anything', type: '*', link: nth }],
  outputs: [{ name: 'anything', type: '*' }],
  widgets_values: [1],
});
/** Two of the next one in each, so that a small file unfolds to as many nodes as it may. */
const unfolding = {
  nodes: [{ id: 1, type: 'level 0' }],
  links: [],
  definitions: {
    subgraphs: Array.from({ length: 12 }, (_, level) => ({
      id: `level ${level}`,
      name: `level ${level}`,
      nodes: [1, 2, 3, 4, 5, 6, 7].slice(0, level === 11 ? 7 : 2).map((id) => ({
        id,
        type: level === 11 ? 'SlowNode' : `level ${level + 1}`,
        widgets_values: [1],
      })),
      links: [],
    })),
  },
};

const submissions = (path: string): readonly LargeCall[] => {
  const submit = (workflow: unknown, expects = 201, more: object = {}): LargeCall => ({
    ...{ method: 'POST', path, expects },
    body: json({ workflow, ...more }),
  });
  return [
    submit(textJob('QUJD'.repeat((4 - 0.1) * mebi))),
    submit(textJob('a\n"'.repeat(2.5 * mebi))),
    submit(textJob('1234567890123456'.repeat((1 - 0.1) * mebi))),
    submit(
      nodes(1_000, () => of('PrimitiveString', { value: 'x'.repeat(15_000) })),
      422,
    ),
    submit({
      ...nodes(1_000, () => of('PrimitiveString', { value: 'x'.repeat(15_000) })),
      last: of('SlowNode', { steps: 1 }),
    }),
    submit(wide, 422),
    submit({ ...wide, z: { inputs: {} } }, 422),
    submit(
      {
        1: of(
          'X',
          record(4_000, (nth) => [`input ${nth}`, nth]),
        ),
      },
      422,
    ),
    submit({ 1: of('X', { list: Array.from({ length: 90_000 }, () => 2 ** 31) }) }, 422),
    submit(
      nodes(1_000, () => of('X', { deep: nested(58) })),
      422,
    ),
    submit(
      nodes(manyNodes, (nth) => of('X', { a: { __type: 'core/ASSET', info: { id: `${nth}` } } })),
      422,
    ),
    submit(
      editorFile(3_000, () => ({ type: 'SlowNode', ...linked(0) })),
      422,
    ),
    submit({ 1: of('X', {}) }, 422, {
      extra_data: { extra_pnginfo: { workflow: editorFile(3_000, linked) } },
    }),
    {
      ...{ method: 'POST', path, expects: 422 },
      body: () =>
        `{"workflow":{"1":{"class_type":"X","inputs":{"seeds":[${'12345678901234567890,'.repeat(90_000)}1]}}}}`,
    },
  ];
};

const byNames: readonly LargeCall[] = [
  {
    ...{ method: 'POST', path: '/jobs', expects: 422 },
    body: json({ workflow: wide, inputs: record(250, (nth) => [`${nth}.text`, 'y']) }),
  },
  {
    ...{ method: 'POST', path: '/jobs', expects: 422 },
    body: json({
      workflow: nodes(manyNodes, (nth) => of('X', { a: 1, b: 2 }, `${'title '.repeat(150)}${nth}`)),
      inputs: { 'nothing.a': 1 },
    }),
  },
  {
    ...{ method: 'POST', path: '/jobs', expects: 422 },
    body: form({
      workflow: JSON.stringify(nodes(manyNodes, (nth) => of('X', { a: 1, b: 2 }, `title ${nth}`))),
      ...record(250, (nth) => [`${'nothing.'.repeat(20)}${nth}`, 'text']),
    }),
  },
];

const targets = (target: (nth: number) => unknown): object =>
  record(250, (nth) => [`input ${nth}`, target(nth)]);
/** The service refuses it for its last node. */
const titled = {
  ...nodes(9_000, (nth) => of('SlowNode', { steps: 1 }, `title ${nth}`)),
  last: of('X', {}),
};
const templates: readonly LargeCall[] = [
  ['text', { workflow: textJob('x'.repeat(7 * mebi)), inputs: { text: '1.value' } }, 201],
  ['text', { workflow: textJob('x'.repeat(7 * mebi)), inputs: { text: '1.value' } }, 200],
  ['nodes', { workflow: titled, inputs: targets((nth) => `title ${nth}.steps`) }, 201],
  [
    'titles',
    { workflow: titled, inputs: targets((nth) => ({ title: `title ${nth}`, input: 'steps' })) },
    201,
  ],
  ['unknown', { workflow: titled, inputs: { a: { title: 'nothing', input: 'steps' } } }, 422],
  ['drawn', { workflow: { 1: of('X', {}) }, inputs: {}, ui: editorFile(3_000, linked) }, 201],
].map(([name, body, expects]) => ({
  ...{ method: 'PUT', path: `/templates/${name as string}`, expects: expects as number },
  body: json(body),
}));
const templateJobs: readonly LargeCall[] = [
  { method: 'GET', path: '/templates', expects: 200 },
  { method: 'GET', path: '/templates/text', expects: 200 },
  {
    method: 'POST',
    path: '/templates/text',
    body: json({ inputs: { text: 'y'.repeat(15 * mebi) } }),
    expects: 201,
  },
  {
    ...{ method: 'POST', path: '/templates/text', expects: 422 },
    body: json({ inputs: record(250, (nth) => [`${'wrong '.repeat(40)}${nth}`, nth]) }),
  },
  { method: 'DELETE', path: '/templates/text', expects: 200 },
  { ...templates[2]!, expects: 200 },
  { method: 'GET', path: '/templates', expects: 200 },
  { method: 'POST', path: '/templates/nodes', body: json({ inputs: targets((nth) => nth) }), expects: 422 },
];

const preflights: readonly LargeCall[] = [
  chain(manyNodes),
  wide,
  nodes(manyNodes, (nth) => of(`Slow${nth} Nod`, { a: 1, b: 2 })),
  nodes(manyNodes, () => of('SlowNode', { step: 1, anythin: 2, other: 3 })),
  nodes(manyNodes, () => of('SlowNode', { steps: 'x'.repeat(1_000), anything: ['z', 0] })),
  nodes(manyNodes, (nth) => of('CheckpointLoaderSimple', { ckpt_name: `model ${nth}.safetensor` })),
  {
    ...nodes(6_000, (nth) => of('LoadImage', { image: `picture ${nth}.png` })),
    ...record(6_000, (nth) => [`p${nth}`, of('PreviewImage', { images: [`${nth}`, 0] })]),
  },
  {
    1: of(
      'SlowNode',
      record(4_000, (nth) => [`input ${nth}`, nth]),
    ),
  },
  editorFile(3_000, (nth) => ({ type: 'SlowNode', ...linked(nth) })),
  editorFile(3_000, (nth) => ({ type: `Unknown ${nth}`, ...linked(nth) })),
  editorFile(3_000, (nth) => ({ type: 'PrimitiveNode', ...linked(nth), inputs: [] })),
  editorFile(3_000, (nth) => ({
    ...{ type: 'SlowNode', ...linked(nth) },
    properties: {
      models: [{ name: `model ${nth}.safetensors`, url: 'https://h', directory: `folder ${nth}` }],
    },
  })),
  unfolding,
].map((workflow) => ({ method: 'POST', path: '/preflight', expects: 200, body: json({ workflow }) }));

const bytes = new Uint8Array(randomBytes(mebi));
const file = (mebibytes: number): Blob => new Blob(Array.from({ length: mebibytes }, () => bytes));
const files: readonly LargeCall[] = [
  { method: 'POST', path: '/uploads?filename=a.png', type: 'image/png', body: () => file(90), expects: 201 },
  { method: 'POST', path: '/uploads?filename=a.png', type: 'image/png', body: () => file(90), expects: 200 },
  { method: 'POST', path: '/uploads', body: form({ file: file(91) }), expects: 201 },
  {
    method: 'POST',
    path: '/uploads',
    body: form({ file: file(1), file_path: 'x'.repeat(15 * mebi) }),
    expects: 422,
  },
  { method: 'POST', path: '/api/v2/assets', body: form({ file: file(92) }), expects: 201 },
  {
    ...{ method: 'POST', path: '/uploads', expects: 422 },
    body: form(record(999, (nth) => [`field ${nth}`, 'x'.repeat(10_000)]) as Record<string, string>),
  },
  {
    method: 'POST',
    path: '/uploads',
    body: form(record(1_001, (nth) => [`${nth}`, '']) as Record<string, string>),
    expects: 413,
  },
  {
    ...{ method: 'POST', path: '/uploads', expects: 400, type: 'multipart/form-data; boundary=b' },
    body: () => `\r\n--${'\r\n-'.repeat(5 * mebi)}`,
  },
];

const members = json(record(49_000, (nth) => [`member ${nth}`, nth]));
const others: readonly LargeCall[] = [
  { method: 'POST', path: '/api/v2/assets/from-hash', body: members, expects: 422 },
  { method: 'PUT', path: '/webhooks', body: members, expects: 501 },
  {
    method: 'PUT',
    path: '/webhooks',
    body: json({ url: `https://h/${'x'.repeat(15 * mebi)}` }),
    expects: 501,
  },
  { method: 'POST', path: '/watch-tokens', body: members, expects: 201 },
  { method: 'GET', path: '/definitions', expects: 200 },
  { method: 'GET', path: `/definitions?${'class=KSampler&'.repeat(1_000)}`, expects: 200 },
  { method: 'GET', path: `/jobs?${'tag=a&'.repeat(2_000)}`, expects: 400 },
  { method: 'GET', path: '/openapi.json', expects: 200 },
];

/** As many as a search may have, which no text has. */
const manyWords = Array.from({ length: 100 }, (_, nth) =>
  encodeURIComponent(String.fromCodePoint(0x3b1 + nth)),
).join('+');

/** The lists and documents of the jobs that there are. */
const lists: readonly LargeCall[] = [
  { method: 'GET', path: '/jobs?limit=100', expects: 200 },
  { method: 'GET', path: '/api/v2/jobs?limit=100', expects: 200 },
  { method: 'GET', path: '/jobs?limit=100&text=nothing%20of%20this', expects: 200 },
  { method: 'GET', path: `/jobs?limit=100&text=${manyWords}`, expects: 200 },
  { method: 'GET', path: '/jobs?limit=100&workflow=SaveImage', expects: 200 },
  {
    method: 'DELETE',
    path: `/jobs?${Array.from({ length: 100 }, (_, nth) => `id=${nth}`).join('&')}`,
    expects: 200,
  },
];

/** Every entrance of a gateway with bodies that are hard for it, each in another way. */
export const largeCalls: LargeCalls = {
  'API v2': submissions('/api/v2/jobs'),
  jobs: [...submissions('/jobs'), ...byNames],
  templates: [...templates, ...templateJobs],
  preflight: preflights,
  files,
  others,
  lists,
};
