import { annotated } from './annotated.js';
import { count, object, request, words } from './shapes.js';
import { workflow } from './requests.js';
import * as t from 'io-ts';

/** The node classes of a service, as its `object_info` has them. */
export const nodeClasses = t.record(t.string, t.UnknownRecord, 'NodeClasses');

/** `POST /preflight`. */
export const preflightRequest = request(
  'PreflightRequest',
  {
    workflow: annotated(t.UnknownRecord, {
      description: 'A workflow in API format, or a file as the editor saves it.',
    }),
  },
  {},
);

/** Something that is wrong with a workflow. */
const problem = object(
  'Problem',
  { type: t.string, severity: words('error', 'warning'), message: t.string },
  {
    ...{ nodeId: t.string, input: t.string, pack: t.string, serverOnly: t.boolean },
    fix: annotated(t.unknown, { description: 'A value or a name that makes it right.' }),
    suggestion: annotated(t.unknown, {
      description: 'What may have been meant, which only a person can tell.',
    }),
  },
);

const texts = t.readonlyArray(t.string);

const namedModel = object(
  'NamedModel',
  { name: t.string },
  { nodeId: t.string, input: t.string, url: t.string, directory: t.string },
);

const price = t.type({ engine: t.string, expression: t.string, values: t.UnknownRecord }, 'NodePrice');

const freeRuns = t.type({ allowance: t.number, used: t.number, remaining: t.number }, 'FreeRuns');

/** What a service would do with a workflow, and what it takes. */
export const preflightReport = object(
  'PreflightReport',
  {
    verdict: words('accepted', 'partly', 'refused', 'unknown'),
    problems: t.readonlyArray(problem),
    missingClasses: t.readonlyArray(
      object('MissingClass', { className: t.string, nodeIds: texts }, { pack: t.string }),
    ),
    missingModels: t.readonlyArray(namedModel),
    unknownModels: t.readonlyArray(namedModel),
    paidNodes: t.readonlyArray(object('PaidNode', { nodeId: t.string, className: t.string }, { price })),
    plan: object(
      'Plan',
      { paidNodes: words('refused', 'open', 'unknown') },
      { freeRuns, maxUploadBytes: count },
    ),
    uploads: t.readonlyArray(
      object(
        'NeededUpload',
        { nodeId: t.string, input: t.string, name: t.string },
        { bytes: count, isTooLarge: t.boolean },
      ),
    ),
    replaced: t.readonlyArray(
      object(
        'ReplacedNode',
        { nodeId: t.string, className: t.string, newClass: t.string, droppedInputs: texts },
        { breaks: words('always', 'perhaps') },
      ),
    ),
  },
  { workflow },
);
