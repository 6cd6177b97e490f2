import { type Inspection, isLink } from '../input/inspection.js';
import type { InspectedNode } from '../input/inspected.js';
import type { Line } from '../terminal/line.js';
import { shortened } from './change-line.js';

/** The lines of an inspected file, for people. */
export const inspectionLines = (inspection: Inspection, longest: number): readonly Line[] => {
  const { file, format, nodes, models, problems } = inspection;
  const count = nodes.length === 1 ? '1 node' : `${nodes.length} nodes`;
  return [
    [{ text: file, style: 'bold' }, `: ${format}, ${contents(inspection)}, ${count}`],
    ...nodes.flatMap((node) => nodeLines(node, longest)),
    ...models.map(({ name, nodeId, input, directory, url }): Line => [
      'model ',
      name,
      ...(nodeId === undefined ? [] : [input === undefined ? ` (${nodeId})` : ` (${nodeId}.${input})`]),
      ...(directory === undefined ? [] : [` in ${directory}`]),
      ...(url === undefined ? [] : [` from ${url}`]),
    ]),
    ...problems.map(({ severity, message }): Line => [
      { text: `${severity}: `, style: severity === 'error' ? 'red' : 'yellow' },
      message,
    ]),
  ];
};

const contents = ({ holds, version }: Inspection): string =>
  holds
    .map((which) =>
      which === 'api' ? 'API format' : `editor's format${version === undefined ? '' : ` ${version}`}`,
    )
    .join(' and ');

const nodeLines = (
  { nodeId, class: className, title, inputs, values = [], mode, inside, pack }: InspectedNode,
  longest: number,
): readonly Line[] => [
  [
    { text: nodeId, style: 'cyan' },
    ` ${className}`,
    ...(title === undefined ? [] : [` "${title}"`]),
    ...[
      inside === undefined ? undefined : `inside ${inside}`,
      mode,
      pack === undefined ? undefined : `of ${pack}`,
    ].flatMap((part) => (part === undefined ? [] : [`, ${part}`])),
  ],
  ...values.map((value): Line => ['  = ', shortened(value, longest)]),
  ...Object.entries(inputs).map(([name, value]): Line => [
    `  ${name} `,
    ...(isLink(value) ? [`← ${value[0]}, output ${value[1]}`] : ['= ', shortened(value, longest)]),
  ]),
];
