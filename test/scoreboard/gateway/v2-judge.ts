import type { StreamJudge } from './stream-judge.js';
import type { ToldJob } from './told-job.js';

/** Something that a reader of API v2 gets once: a status, or an output's name. */
type Item = { readonly status: string } | { readonly output: string };

/** Where a reader is: which numbers of statuses it may have, and how many outputs. */
interface Place {
  readonly statuses: readonly number[];
  /** Undefined after a gap, before the first output: any of them may be next. */
  readonly outputs: number | undefined;
}

/** Judges what one reader of a job gets over all its connections in the words of API v2. */
export const v2Judge = (job: ToldJob, from: 'start' | 'latest' | undefined): StreamJudge => {
  const problems: string[] = [];
  const wrong = (problem: string): void => void problems.push(problem);
  const items = (): readonly Item[] => itemsOf(job);
  const statuses = (): readonly string[] =>
    items().flatMap((item) => ('status' in item ? [item.status] : []));
  const outputs = (): readonly string[] => items().flatMap((item) => ('output' in item ? [item.output] : []));
  /** How many outputs come before the status of this number, and how many statuses before this output. */
  const outputsBefore = (status: number): number => before(items(), 'status', 'output', status);
  const statusesBefore = (output: number): number => before(items(), 'output', 'status', output);
  const all = (): readonly number[] => Array.from({ length: statuses().length }, (_, at) => at + 1);

  let place: Place = { statuses: [], outputs: 0 };
  /** The place of a reader that resumes after this id. */
  const places = new Map<string, Place>();
  let ids = new Set<string>();
  let gaps = 0;
  let due: 'gap' | 'status' | undefined;
  let lastEvent = '';
  /** Whether the connection began with the status of now. */
  let isFresh = false;

  /** The status that begins a connection: where the job is, or was at the place from which the reader resumes. */
  const takeFirst = (word: string): Place => {
    const found = place.statuses.filter((number) => statuses()[number - 1] === word);
    if (found.length === 0) wrong(`a connection begins with ${word}, which is not where the job is`);
    return { ...place, statuses: found.length === 0 ? all() : found };
  };

  const takeStatus = (word: string): void => {
    const found = place.statuses.filter(
      (number) =>
        statuses()[number] === word &&
        (place.outputs === undefined || place.outputs >= outputsBefore(number + 1)),
    );
    if (found.length === 0) wrong(`${word} out of its order: an event is missing or came twice`);
    place = { ...place, statuses: found.length === 0 ? all() : found.map((number) => number + 1) };
  };

  const takeOutput = (name: string): void => {
    const at = outputs().indexOf(name);
    const next = place.outputs ?? at;
    if (at === -1) wrong(`an output that never was: ${name}`);
    else if (at < next) wrong(`duplicate: ${name} once more`);
    else if (at > next) wrong(`silent gap: ${at - next} outputs before ${name} are missing`);
    const may = place.statuses.filter((number) => number >= statusesBefore(at));
    if (may.length === 0) wrong(`${name} came before the status that precedes it`);
    place = { statuses: may.length === 0 ? all() : may, outputs: at + 1 };
  };

  return {
    problems,
    gaps: () => gaps,
    begin: (how, after) => {
      ids = new Set();
      isFresh = how === 'fresh' && from === undefined;
      due = how === 'forged' || lastEvent === 'gap' ? 'gap' : 'status';
      if (how === 'resumed' && after !== undefined) place = places.get(after) ?? place;
      if (how !== 'fresh') return;
      if (from === 'latest') place = { statuses: [statuses().length], outputs: outputs().length };
      else place = { statuses: from === 'start' ? [0] : all(), outputs: 0 };
      // Everything that is kept begins with the first status itself.
      if (from === 'start') due = undefined;
    },
    take: ({ id, event, data }) => {
      if (id === '') wrong(`${event} has no id`);
      if (ids.has(id)) wrong(`an id twice on one connection: ${event}`);
      ids.add(id);
      lastEvent = event;
      if (event === 'gap') {
        if (due !== 'gap') gaps += 1;
        due = 'status';
        isFresh = true;
        place = { statuses: all(), outputs: undefined };
        return;
      }
      if (due !== undefined && event !== due) wrong(`${event} in place of a ${due}`);
      if (event === 'status' && due === 'status') {
        const word = String(data['status']);
        place = takeFirst(word);
        // The stream of a job that is over says so and ends: its outputs are in the job's document.
        if (isFresh && ended.includes(word)) place = { statuses: [statuses().length], outputs: undefined };
        places.set(id, place);
      } else if (event === 'status') takeStatus(String(data['status']));
      else if (event === 'output') takeOutput(String(data['name']));
      else if (event !== 'progress' && event !== 'preview') wrong(`an event ${event}`);
      due = undefined;
      if (!places.has(id)) places.set(id, place);
    },
    lacks: () =>
      due !== undefined ||
      !place.statuses.includes(statuses().length) ||
      (place.outputs !== undefined && place.outputs < outputs().length),
    finish: () => {
      if (!place.statuses.includes(statuses().length)) wrong('silent gap: the last status is missing');
      if (place.outputs !== undefined && place.outputs < outputs().length)
        wrong(`silent gap: ${outputs().length - place.outputs} outputs are missing`);
    },
  };
};

const itemsOf = ({ facts }: ToldJob): readonly Item[] => {
  let isAskedToEnd = false;
  return facts.flatMap((fact): readonly Item[] => {
    if (fact.type === 'output') return fact.files.map((output) => ({ output }));
    isAskedToEnd ||= fact.type === 'cancelRequested';
    const word = words[String(fact.state['phase'])] ?? 'unknown';
    return [{ status: isAskedToEnd && ['queued', 'running'].includes(word) ? 'canceling' : word }];
  });
};

const words: Readonly<Record<string, string>> = {
  pending: 'queued',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'canceled',
};

const ended = ['succeeded', 'failed', 'canceled', 'expired'];

/** How many items of one kind come before the one of the other kind with this number; all of them where there is none. */
const before = (
  items: readonly Item[],
  kind: 'status' | 'output',
  other: 'status' | 'output',
  number: number,
): number => {
  let [own, others] = [0, 0];
  for (const item of items) {
    if (kind in item) {
      own += 1;
      if (kind === 'status' ? own === number : own === number + 1) return others;
    } else if (other in item) others += 1;
  }
  return others;
};
