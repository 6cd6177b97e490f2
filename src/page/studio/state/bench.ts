import { BehaviorSubject, scan, Subject, type Observable } from 'rxjs';
import { keyOf, type ShownInput } from './shown-inputs.js';
import type { Problem, UiWorkflow, Workflow } from '../../../index.js';
import type { SeedMode } from './seeds.js';

/** The workflow that a person works on. */
export interface Bench {
  /** Another one for each workflow that is brought, and the same while it is edited. */
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly workflow: Workflow;
  /** As its author drew it, where the file says so. */
  readonly ui?: UiWorkflow;
  /** The inputs that the form shows; absent: all of them. */
  readonly shown?: readonly ShownInput[] | undefined;
  /** How seeds change from run to run, by {@link keyOf}. */
  readonly seeds: Readonly<Record<string, SeedMode>>;
  /** What a range runs over, as a person writes it, by {@link keyOf}. */
  readonly ranges: Readonly<Record<string, string>>;
  /** What the conversion told. */
  readonly problems: readonly Problem[];
}

/** What a person brings. */
export type Brought = Pick<Bench, 'title' | 'workflow'> &
  Partial<Pick<Bench, 'description' | 'ui' | 'shown' | 'problems'>>;

/** What changes the bench. */
export type BenchAction =
  | { readonly type: 'bring'; readonly brought: Brought }
  | { readonly type: 'set'; readonly nodeId: string; readonly input: string; readonly value: unknown }
  /** Puts another version of the workflow in its place; `mended` are problems that it has no more. */
  | { readonly type: 'replace'; readonly workflow: Workflow; readonly mended?: readonly Problem[] }
  | { readonly type: 'seed'; readonly nodeId: string; readonly input: string; readonly mode: SeedMode }
  | { readonly type: 'range'; readonly nodeId: string; readonly input: string; readonly text: string }
  | { readonly type: 'show'; readonly shown: readonly ShownInput[] | undefined }
  | { readonly type: 'rename'; readonly title: string }
  /** Puts the workflow away. */
  | { readonly type: 'leave' };

/** What the bench is after an action: pure. */
export const stepBench = (bench: Bench | undefined, action: BenchAction): Bench | undefined => {
  if (action.type === 'bring') {
    return { id: (bench?.id ?? 0) + 1, seeds: {}, ranges: {}, problems: [], ...action.brought };
  }
  if (bench === undefined) return undefined;
  switch (action.type) {
    case 'set':
      return { ...bench, workflow: withValue(bench.workflow, action.nodeId, action.input, action.value) };
    case 'replace':
      return {
        ...bench,
        workflow: action.workflow,
        problems: bench.problems.filter((problem) => action.mended?.includes(problem) !== true),
      };
    case 'seed':
      return { ...bench, seeds: { ...bench.seeds, [keyOf(action)]: action.mode } };
    case 'range':
      return { ...bench, ranges: { ...bench.ranges, [keyOf(action)]: action.text } };
    case 'show':
      return { ...bench, shown: action.shown };
    case 'leave':
      return undefined;
    case 'rename':
      return { ...bench, title: action.title };
  }
};

/** A copy of a workflow with a value, or without one; entries keep a node id such as `__proto__`, which an assignment would not. */
export const withValue = (workflow: Workflow, nodeId: string, input: string, value: unknown): Workflow =>
  Object.fromEntries(
    Object.entries(workflow).map(([id, node]) => {
      if (id !== nodeId) return [id, node];
      const inputs = new Map(Object.entries(node.inputs));
      if (value === undefined) inputs.delete(input);
      else inputs.set(input, value);
      return [id, { ...node, inputs: Object.fromEntries(inputs) }];
    }),
  );

/** The bench of the page, and what changes it. */
export interface BenchStore {
  readonly state: BehaviorSubject<Bench | undefined>;
  readonly act: (action: BenchAction) => void;
}

/** Folds the actions into the bench. */
export const openBench = (actions: Subject<BenchAction> = new Subject()): BenchStore => {
  const state = new BehaviorSubject<Bench | undefined>(undefined);
  const states: Observable<Bench | undefined> = actions.pipe(scan(stepBench, undefined));
  states.subscribe(state);
  return { state, act: (action) => actions.next(action) };
};
