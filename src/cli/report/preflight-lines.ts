import { count, fileSize } from '../terminal/format.js';
import type { Line } from '../terminal/line.js';
import type {
  NamedModel,
  NeededUpload,
  PaidNode,
  Plan,
  PreflightReport,
  ReplacedNode,
} from '../../workflow.js';

/** The lines of `promptwire check`, for people. */
export const preflightLines = (report: PreflightReport): readonly Line[] => [
  ...report.missingClasses.map(({ className, nodeIds, pack }) =>
    line(
      'Class missing',
      `${className} (${nodesText(nodeIds)})${pack === undefined ? '' : `, pack ${pack}`}`,
    ),
  ),
  ...report.missingModels.map((model) => line('Model missing', modelText(model))),
  ...report.unknownModels.map((model) => line('Model unknown', modelText(model))),
  ...report.replaced.map((node) => line('Class replaced', replacedText(node))),
  ...report.uploads.map((upload) => line('To upload', uploadText(upload, report.plan))),
  ...report.paidNodes.map((node) => line('Paid', paidText(node))),
  ...planLines(report),
  [{ text: verdicts[report.verdict], style: report.verdict === 'accepted' ? 'green' : 'red' }],
];

const verdicts = {
  accepted: 'Accepted',
  partly: 'Accepted in part',
  refused: 'Refused',
  unknown: 'Unknown: the service gives no node classes',
} as const;

const line = (what: string, text: string): Line => [{ text: `${what}: `, style: 'bold' }, text];

const nodesText = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'node' : 'nodes'} ${ids.join(', ')}`;

const modelText = ({ name, nodeId, input, directory, url }: NamedModel): string =>
  [
    name,
    nodeId === undefined ? '' : ` (${nodeId}${input === undefined ? '' : `.${input}`})`,
    directory === undefined ? '' : `, folder ${directory}`,
    url === undefined ? '' : `, from ${url}`,
  ].join('');

const replacedText = ({ nodeId, className, newClass, droppedInputs, breaks }: ReplacedNode): string =>
  [
    `node ${nodeId} (${className}) becomes ${newClass}`,
    droppedInputs.length === 0 ? '' : `, without ${droppedInputs.join(', ')}`,
    breaks === undefined ? '' : `, at which the service ${breaks === 'always' ? 'fails' : 'may fail'}`,
  ].join('');

const uploadText = (
  { nodeId, input, name, bytes, isTooLarge }: NeededUpload,
  { maxUploadBytes }: Plan,
): string => {
  const bound = maxUploadBytes === undefined ? '' : ` of at most ${fileSize(maxUploadBytes)}`;
  const size = bytes === undefined ? '' : `, ${fileSize(bytes)}${bound}`;
  return `${name} (${nodeId}.${input})${size}${isTooLarge === true ? ': too large' : ''}`;
};

/** A paid node and the label of its price, as it stands there. */
export const paidText = ({ nodeId, className, price }: PaidNode): string =>
  `node ${nodeId} (${className})${price === undefined ? '' : `, price ${price.expression.replace(/\s+/gu, ' ')}`}`;

const planLines = ({ paidNodes, plan: { paidNodes: may, freeRuns } }: PreflightReport): readonly Line[] => [
  ...(paidNodes.length === 0 ? [] : [line('Plan', plans[may])]),
  ...(freeRuns === undefined
    ? []
    : [line('Plan', `${count(freeRuns.remaining, 'free run')} left of ${freeRuns.allowance}`)]),
];

const plans = {
  refused: 'refuses paid nodes',
  open: 'does not refuse paid nodes by itself',
  unknown: 'says nothing of paid nodes',
} as const;
