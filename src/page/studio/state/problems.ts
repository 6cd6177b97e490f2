import { combineLatest, debounceTime, from, map, type Observable, type SchedulerLike } from 'rxjs';
import type { Bench } from './bench.js';
import type { NodeDefinitions } from '../../../workflow.js';
import type { Problem } from '../../../index.js';
import { isSentFile } from './sent-files.js';
import { workflowTools } from './form.js';

/** A person who types sees problems once the hands rest. */
const restMs = 200;

/** What is wrong with the workflow on the bench: what its conversion told, and what the service would refuse or ignore. */
export const problemsOf = (
  bench: Observable<Bench | undefined>,
  definitions: Observable<NodeDefinitions | undefined>,
  scheduler: SchedulerLike,
): Observable<readonly Problem[]> =>
  combineLatest([bench, definitions, from(workflowTools())]).pipe(
    debounceTime(restMs, scheduler),
    map(([current, known, { validateWorkflow }]) =>
      current === undefined
        ? []
        : onePerPlace([
            ...(known === undefined ? [] : validateWorkflow(current.workflow, known)),
            ...current.problems,
          ]).filter((problem) => !isOfSentFile(problem, current)),
    ),
  );

/** Conversion and check may tell the same of an input. */
const onePerPlace = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((one) => [`${one.nodeId} ${one.input} ${one.type}`, one])).values(),
];

/** The service lists its own files, and the gateway has sent it this one. */
const isOfSentFile = ({ nodeId = '', input = '' }: Problem, { workflow }: Pick<Bench, 'workflow'>): boolean =>
  isSentFile(workflow[nodeId]?.inputs[input]);
