import type { JobState } from '../../../src/core/state/job-state.js';

/** Something that readers have to learn of a job, in the order in which it happened. */
export type Fact =
  | { readonly type: 'submitted' | 'status'; readonly state: Json }
  | {
      readonly type: 'output';
      readonly state: Json;
      readonly nodeId: string;
      readonly files: readonly string[];
    }
  | { readonly type: 'cancelRequested'; readonly state: Json };

/** A job as it was in truth: the states that the service gave so far, and the facts that are in them. */
export interface ToldJob {
  readonly promptId: string;
  /** The gateway's id of it. */
  readonly id: string;
  readonly facts: readonly Fact[];
  /** The newest state. */
  readonly state: () => Json;
  readonly hasEnded: () => boolean;
  readonly tell: (state: JobState) => void;
  readonly askForEnd: () => void;
}

export type Json = Readonly<Record<string, unknown>>;

/** What progress changes; everything else of a state but its outputs is its status. */
export const progressMembers = ['nodes', 'nodeCount', 'plan', 'exactNodes', 'progress'] as const;

/** The members of a state that no progress event changes, in one spelling; the service's id is none of the caller's business. */
export const lastingPart = (state: Json): string => spelled(without(state, [...progressMembers, 'promptId']));

/** A whole state in one spelling. */
export const wholeOf = (state: Json): string => spelled(without(state, ['promptId']));

const ended = ['completed', 'failed', 'cancelled', 'untraceable', 'unknown'];

export const toldJob = (id: string, first: JobState): ToldJob => {
  let latest = json(first);
  const facts: Fact[] = [{ type: 'submitted', state: latest }];
  return {
    promptId: first.promptId,
    id,
    facts,
    state: () => latest,
    hasEnded: () => ended.includes(String(latest['phase'])),
    tell: (next) => {
      const before = latest;
      latest = json(next);
      const outputs = latest['outputs'] as Readonly<Record<string, Json>>;
      let state = before;
      for (const [nodeId, now] of Object.entries(outputs)) {
        const then = (before['outputs'] as Readonly<Record<string, Json>>)[nodeId];
        if (spelled(then) === spelled(now)) continue;
        state = { ...state, outputs: { ...(state['outputs'] as Json), [nodeId]: now } };
        const known = filesOf(then);
        const files = filesOf(now).filter((file) => !known.includes(file));
        facts.push({ type: 'output', state, nodeId, files });
      }
      const statusOf = (one: Json): string => spelled(without(one, [...progressMembers, 'outputs']));
      if (statusOf(before) !== statusOf(latest)) facts.push({ type: 'status', state: latest });
    },
    askForEnd: () => void facts.push({ type: 'cancelRequested', state: latest }),
  };
};

export const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

export const without = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** JSON whose members are in the order of their names. */
export const spelled = (value: unknown): string =>
  JSON.stringify([value], (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );

const filesOf = (outputs: Json | undefined): readonly string[] =>
  Object.values(outputs ?? {})
    .flat()
    .map((file) => String((file as Json)['filename']));
