import { type AskedWork, readAskedWork } from './asked-work.js';
import { isJsonObject } from '../../../core/protocol/json/json.js';
import { isListOf, isNumber, isText } from '../store/event-shapes.js';
import { readStoredJson } from '../store/read-stored-json.js';
import { readReport, readReports, type ServerReport } from './server-report.js';
import type { PoolServer } from '../../../core/state/pool-server.js';

/** A job that uses a slot of a server. */
export interface SlotUse {
  readonly id: string;
  /** Since when, by the store's clock. */
  readonly at: number;
  /** How long it is expected to, in milliseconds. */
  readonly ms: number;
}

/** What a queue knows of one server. */
export interface KnownServer {
  readonly name: string;
  /** What was reported last, by whichever worker. */
  readonly last: ServerReport | undefined;
  /** What each living worker that brings it reports. */
  readonly reports: ReadonlyMap<string, ServerReport>;
  readonly mode: PoolServer['mode'];
  /** Why it is paused or drained. */
  readonly modeReason?: string;
  /** Since when no living worker reaches it, by the store's clock; absent while one does. */
  readonly awaySince?: number;
  readonly uses: readonly SlotUse[];
  /** The models of the last job that it got. */
  readonly models: readonly string[];
  readonly done: number;
  readonly failed: number;
  readonly lost: number;
  readonly lateEnds: number;
  /** Jobs that it may have, and that no worker holds. */
  readonly open: number;
}

/** A job that waits for a server. */
export interface WaitingForServer {
  readonly id: string;
  readonly asked: AskedWork;
  /** Since when, by the store's clock. */
  readonly since: number;
  /** The servers that refused it, and why. */
  readonly refusedBy: Readonly<Record<string, string>>;
  readonly attempt: number;
}

/** A queue over servers at one moment. */
export interface QueueSnapshot {
  readonly now: number;
  readonly isPaused: boolean;
  readonly servers: ReadonlyMap<string, KnownServer>;
  /** The jobs that the worker holds which asked. */
  readonly own: readonly string[];
  /** How many jobs wait. */
  readonly waiting: number;
  /** The first of them, in the order of their turns. */
  readonly first: readonly WaitingForServer[];
}

type Texts = readonly string[];

/** What the script `snapshot` gives. */
export type SnapshotReply = readonly [
  now: number,
  paused: number,
  reports: readonly Texts[],
  servers: readonly ServerReply[],
  own: Texts,
  waiting: number,
  first: readonly Texts[],
];

/** What the scripts give of one server. */
export type ServerReply = readonly [
  ...texts: readonly [name: string, last: string, mode: string, away: string],
  uses: Texts,
  ...more: readonly [models: string, done: string, failed: string, lost: string, late: string],
  open: number,
];

/** Reads what the script `snapshot` gives. */
export const readSnapshot = ([
  now,
  paused,
  reports,
  servers,
  own,
  waiting,
  first,
]: SnapshotReply): QueueSnapshot => ({
  now,
  isPaused: paused === 1,
  servers: readServers(reports, servers),
  own,
  waiting,
  first: first.map(([id = '', work = '', since = '', refusedBy = '', reruns = '']) => ({
    id,
    asked: readAskedWork(work),
    since: Number(since),
    refusedBy: objectIn(refusedBy) as Readonly<Record<string, string>>,
    attempt: Number(reruns) + 1,
  })),
});

/** Reads what the scripts give of the servers, with the reports of living workers. */
export const readServers = (
  reports: readonly Texts[],
  servers: readonly ServerReply[],
): ReadonlyMap<string, KnownServer> => {
  const byWorker = reports.map(([worker = '', text = '']) => [worker, readReports(text)] as const);
  return new Map(
    servers.map(([name, last, mode, away, uses, models, done, failed, lost, late, open]) => [
      name,
      {
        ...{ name, last: readReport(last), uses: readUses(uses), open },
        reports: new Map(
          byWorker.flatMap(([worker, all]) => {
            const report = all.get(name);
            return report === undefined ? [] : [[worker, report] as const];
          }),
        ),
        ...readMode(mode),
        ...(away !== '' && { awaySince: Number(away) }),
        models: listIn(models),
        ...{ done: Number(done), failed: Number(failed), lost: Number(lost), lateEnds: Number(late) },
      },
    ]),
  );
};

const readMode = (text: string): Pick<KnownServer, 'mode' | 'modeReason'> => {
  const { mode = 'active', reason } = objectIn(text) as Partial<Record<'mode' | 'reason', string>>;
  return { mode: mode as KnownServer['mode'], ...(reason !== undefined && { modeReason: reason }) };
};

/** A use that can't be read is that of a job which began long ago. */
const readUses = (fields: Texts): readonly SlotUse[] =>
  fields.flatMap((text, index) => {
    if (index % 2 === 0) return [];
    const { at, ms } = objectIn(text);
    return [{ id: fields[index - 1] ?? '', at: isNumber(at) ? at : 0, ms: isNumber(ms) ? ms : 0 }];
  });

/** The texts in a list that a script gives; none in anything else. */
export const listIn = (text: string): readonly string[] => {
  const list = readStoredJson(text);
  return isListOf(isText)(list) ? (list as readonly string[]) : [];
};

const objectIn = (text: string): Readonly<Record<string, unknown>> => {
  const value = readStoredJson(text);
  return isJsonObject(value) ? value : {};
};
