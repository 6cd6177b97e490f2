import { combineLatest, from, map, type Observable, shareReplay } from 'rxjs';
import type { Bench } from './bench.js';
import type { FormField, NodeDefinitions } from '../../../workflow.js';
import { type ShownField, shownFields } from './shown-inputs.js';

/** The fields of the form, and all that the workflow has. */
export interface Form {
  readonly all: readonly FormField[];
  readonly shown: readonly ShownField[];
}

/** What reads, checks and changes workflows; a page loads it after its first view. */
export const workflowTools = () => import('./workflow-tools.js');

/** The form of the workflow on the bench, by the definitions that are known so far. */
export const formOf = (
  bench: Observable<Bench | undefined>,
  definitions: Observable<NodeDefinitions | undefined>,
): Observable<Form | undefined> =>
  combineLatest([bench, definitions, from(workflowTools())]).pipe(
    map(([current, known, { describeInputs }]) => {
      if (current === undefined) return undefined;
      const all = describeInputs(current.workflow, known ?? {});
      return { all, shown: shownFields(all, current.shown) };
    }),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
