import fc from 'fast-check';
import { definitions } from './node-definitions.js';
import { type Sketch, subgraph, uiFile } from './ui-file.js';

const types = [
  ...Object.keys(definitions),
  ...[
    'Reroute',
    'PrimitiveNode',
    'Note',
    'SetNode',
    'GetNode',
    'sub',
    'outer',
    'workflow>g',
    'Unknown',
    'Anything Everywhere',
  ],
];

const values = fc.oneof(
  fc.array(
    fc.oneof(
      fc.constantFrom('fixed', 'seeded', 'x', '{a|b}', 'name', null, true, 3, 2n ** 64n),
      fc.jsonValue(),
    ),
    { maxLength: 8 },
  ),
  fc.constant(undefined),
  fc.dictionary(fc.string(), fc.jsonValue()),
);

const nodeNames = Object.fromEntries(
  Object.entries(definitions).map(([type, { input }]) => [type, Object.keys({ ...input.required })]),
);

/** Sketches of nodes whose links go to nodes with smaller ids, so that they run in no circle; `in` where a border is allowed. */
const sketches = (
  count: number,
  usable: readonly string[],
  hasBorder: boolean,
): fc.Arbitrary<readonly Sketch[]> =>
  fc.tuple(
    ...Array.from({ length: count }, (_, index) =>
      fc
        .record({
          type: fc.constantFrom(...usable),
          values,
          mode: fc.constantFrom(0, 0, 0, 2, 4),
          picks: fc.array(fc.nat(), { maxLength: 4 }),
        })
        .map(({ type, values: own, mode, picks }): Sketch => {
          const names = nodeNames[type] ?? ['', 'clip', 'text'];
          const origin = (pick: number) =>
            hasBorder && pick % 3 === 0 ? 'in' : 1 + (pick % Math.max(1, index));
          const links = picks.flatMap((pick, at): [string, readonly [number | string, number]][] => {
            const name = names[at];
            return name === undefined || (index === 0 && !hasBorder)
              ? []
              : [[name, [origin(pick), pick % 2]]];
          });
          return { id: index + 1, type, mode, links: Object.fromEntries(links), values: own };
        }),
    ),
  );

/** Files of the editor with every kind of node, nested subgraphs and group nodes. */
export const uiFiles: fc.Arbitrary<ReturnType<typeof uiFile>> = fc
  .record({
    root: fc.integer({ min: 1, max: 8 }).chain((count) => sketches(count, types, false)),
    sub: sketches(
      3,
      types.filter((type) => type !== 'sub' && type !== 'outer'),
      true,
    ),
    outer: sketches(
      2,
      types.filter((type) => type !== 'outer'),
      true,
    ),
  })
  .map(({ root, sub, outer }) => {
    const borders = [
      ['clip', 'CLIP'],
      ['text', 'STRING'],
    ] as const;
    return uiFile(root, {
      definitions: {
        subgraphs: [
          subgraph('sub', borders, [[3, 0]], sub),
          subgraph(
            'outer',
            borders,
            [
              [2, 0],
              [1, 0],
            ],
            outer,
          ),
        ],
      },
      extra: {
        groupNodes: {
          g: {
            nodes: [
              { type: 'Encode', inputs: [{ name: 'clip', type: 'CLIP' }], widgets_values: ['g'] },
              { type: 'Sampler' },
            ],
            links: [[0, 0, 1, 0, 1, 'CONDITIONING']],
          },
        },
      },
    });
  });

/** The same, with one to three members anywhere replaced by something that does not belong there. */
export const mutatedFiles: fc.Arbitrary<unknown> = fc
  .tuple(
    uiFiles,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.oneof(fc.jsonValue(), fc.constantFrom('sub', 'outer', '-10', -20, 1, '__proto__', [], {})),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([file, changes]) => {
    const copy = structuredClone(file);
    for (const [pick, value] of changes) {
      const places = placesIn(copy);
      const place = places[pick % places.length];
      if (place !== undefined) place.owner[place.name] = value;
    }
    return copy;
  });

interface Place {
  readonly owner: Record<string, unknown>;
  readonly name: string;
}

const placesIn = (value: unknown): readonly Place[] => {
  if (typeof value !== 'object' || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((name) => [{ owner, name }, ...placesIn(owner[name])]);
};
