import type { StreamJudge } from './stream-judge.js';
import {
  type Fact,
  type Json,
  lastingPart,
  progressMembers,
  spelled,
  type ToldJob,
  wholeOf,
  without,
} from './told-job.js';

/** Where a reader is with one job. */
interface Place {
  /** How many of the job's facts the reader has; undefined before its first snapshot. */
  facts: number | undefined;
  /** The state that a snapshot and the events since then make; undefined for a reader that had no snapshot. */
  state: Json | undefined;
}

const lasting = ['submitted', 'status', 'output', 'cancelRequested'];

/** Judges what one reader gets over all its connections in the gateway's own vocabulary. */
export const nativeJudge = (
  jobs: () => readonly ToldJob[],
  from: 'start' | 'latest' | undefined,
): StreamJudge => {
  const places = new Map<string, Place>();
  const problems: string[] = [];
  const idsOfFacts = new Set<string>();
  let idsOfConnection = new Set<string>();
  let gaps = 0;
  let due: 'gap' | 'snapshot' | undefined;
  let lastEvent = '';
  const wrong = (problem: string): void => void problems.push(problem);
  const placeOf = (id: string): Place | undefined => {
    const job = jobs().find((one) => one.id === id);
    if (job === undefined) return undefined;
    let place = places.get(id);
    // A job that began after the reader did.
    if (place === undefined) places.set(id, (place = { facts: 0, state: undefined }));
    return place;
  };

  /** Readers know a job by its id on the gateway; that of the service is none of theirs. */
  const isNamed = (job: ToldJob, state: unknown): void => {
    const { promptId } = state as Json;
    if (promptId !== job.id) wrong(`a state names the job ${String(promptId)}`);
  };

  const takeSnapshot = (listed: readonly Json[]): void => {
    for (const document of listed) {
      const job = jobs().find(({ id }) => id === document['id']);
      if (job === undefined) {
        wrong('a snapshot has a job of another caller');
        continue;
      }
      const place = placeOf(job.id)!;
      const state = document['state'] as Json;
      isNamed(job, state);
      const facts = job.facts.findLastIndex(
        (fact) =>
          lastingPart(fact.state) === lastingPart(state) &&
          (fact.type !== 'cancelRequested' || document['cancelRequestedAt'] !== undefined),
      );
      if (facts === -1) wrong(`a snapshot has a state that never was: ${spelled(state)}`);
      else if (facts + 1 < (place.facts ?? 0)) wrong('a snapshot is older than what the reader had');
      place.facts = facts + 1;
      place.state = state;
    }
    for (const job of jobs()) {
      if (listed.some(({ id }) => id === job.id)) continue;
      const place = placeOf(job.id)!;
      // Its first event follows.
      if (place.facts === undefined) place.facts = 0;
      else if (place.facts > 0) wrong('a snapshot lacks a job');
    }
  };

  const takeFact = (type: string, data: Json): void => {
    const job = jobs().find(({ id }) => id === data['job']);
    const place = job && placeOf(job.id);
    if (job === undefined || place === undefined) {
      wrong('an event of another caller');
      return;
    }
    if (type === 'submitted' || type === 'status') isNamed(job, data[type === 'status' ? 'status' : 'state']);
    const { facts } = place;
    if (facts === undefined) {
      wrong(`${type} before a snapshot`);
      return;
    }
    const at = job.facts.findIndex((fact, index) => index >= facts && isSame(fact, type, data));
    if (at === facts) {
      place.facts = at + 1;
      place.state = folded(place.state, type, data);
    } else if (at !== -1) {
      wrong(`silent gap: ${at - facts} events before ${type} are missing`);
      place.facts = at + 1;
    } else if (job.facts.some((fact) => isSame(fact, type, data))) wrong(`duplicate: ${type} once more`);
    else wrong(`${type} tells what never was: ${spelled(data)}`);
  };

  return {
    problems,
    gaps: () => gaps,
    begin: (beginning) => {
      idsOfConnection = new Set();
      due = beginning === 'forged' || lastEvent === 'gap' ? 'gap' : undefined;
      if (beginning !== 'fresh') return;
      if (from === undefined) due = 'snapshot';
      for (const job of jobs())
        places.set(job.id, {
          facts: from === 'latest' ? job.facts.length : from === 'start' ? 0 : undefined,
          state: undefined,
        });
    },
    take: ({ id, event, data }) => {
      if (id === '') wrong(`${event} has no id`);
      if (idsOfConnection.has(id)) wrong(`an id twice on one connection: ${event}`);
      idsOfConnection.add(id);
      lastEvent = event;
      if (event === 'gap') {
        if (due !== 'gap') gaps += 1;
        due = 'snapshot';
        return;
      }
      if (due !== undefined && event !== due) wrong(`${event} in place of a ${due}`);
      if (event === 'snapshot') {
        if (due !== 'snapshot') wrong('a snapshot without a gap');
        takeSnapshot(data['jobs'] as readonly Json[]);
      } else if (lasting.includes(event)) {
        if (idsOfFacts.has(id)) wrong(`duplicate: the id of ${event} came before`);
        idsOfFacts.add(id);
        takeFact(event, data);
      } else if (event === 'progress') {
        const place = placeOf(String(data['job']));
        if (place?.state !== undefined) place.state = folded(place.state, event, data);
      } else if (!['preview', 'reconnect', 'deleted'].includes(event)) wrong(`an event ${event}`);
      due = undefined;
    },
    lacks: () => due !== undefined || jobs().some((job) => (placeOf(job.id)!.facts ?? 0) < job.facts.length),
    finish: () => {
      for (const job of jobs()) {
        const { facts = 0, state } = placeOf(job.id)!;
        if (facts < job.facts.length)
          wrong(`silent gap: ${job.facts.length - facts} events at the end are missing`);
        else if (state !== undefined && wholeOf(state) !== wholeOf(job.state()))
          wrong(`the events make another state: ${wholeOf(state)} for ${wholeOf(job.state())}`);
      }
    },
  };
};

const isSame = (fact: Fact, type: string, data: Json): boolean => {
  if (fact.type !== type) return false;
  switch (fact.type) {
    case 'submitted':
      return lastingPart(data['state'] as Json) === lastingPart(fact.state);
    case 'cancelRequested':
      return true;
    case 'status':
      return (
        spelled(without(data['status'] as Json, ['promptId'])) ===
        spelled(without(fact.state, [...progressMembers, 'outputs', 'promptId']))
      );
    case 'output': {
      const files = (data['added'] as readonly Json[]).map(({ filename }) => String(filename));
      return data['nodeId'] === fact.nodeId && spelled(files) === spelled(fact.files);
    }
  }
};

/** What an event makes of a state: the judge's own reading of it. */
const folded = (state: Json | undefined, type: string, data: Json): Json | undefined => {
  if (type === 'submitted') return data['state'] as Json;
  if (state === undefined) return undefined;
  const kept = Object.fromEntries(
    progressMembers.filter((name) => name in state).map((name) => [name, state[name]]),
  );
  switch (type) {
    case 'status':
      return {
        ...(data['status'] as Json),
        ...((data['progress'] as Json | undefined) ?? kept),
        outputs: state['outputs'],
      };
    case 'output':
      return {
        ...state,
        outputs: { ...(state['outputs'] as Json), [String(data['nodeId'])]: data['outputs'] },
      };
    case 'progress':
      return { ...without(state, progressMembers), ...(data['progress'] as Json) };
    default:
      return state;
  }
};
