import { describe, expect, it } from 'vitest';
import { gatewayTarget } from '../sdk/gateway-target.js';
import { relayTo } from '../sdk/relay.js';
import { drop, type Mutant, replace } from '../mutants/mutant.js';
import { playFigure } from '../mutants/play-figure.js';
import { body, branch, call, choice, condition, operation, statement, value } from '../mutants/selectors.js';
import { canaries, canaryKey } from '../helpers/canaries.js';
import { encodingsOf } from '../helpers/canary.js';
import { secretsIn } from './gateway/secret-jobs.js';
import { secretsAndWalls } from './secrets-and-walls.js';
import { playSdk } from './sdk-through-the-gateway.js';
import { resumedStreams } from './resumed-streams.js';
import type { Range } from './figure.js';
import { manyReaders } from './many-readers.js';
import { stalledReaders } from './stalled-readers.js';
import { besideHostile, hostileCaller } from './hostile-caller.js';
import { killedGateways, killGateways } from './killed-gateways.js';
import { plant } from '../mutants/plant.js';

/** Each plays in a process of its own. */
const patienceMs = 120_000;

type Plant = Pick<Mutant, 'in' | 'change'>;

/** What a figure finds in the first range where it finds anything. */
const foundIn = async (figure: string, ranges: readonly Range[], plant: Plant): Promise<string> => {
  const mutant = { ...plant, id: `of ${figure}`, story: '', caughtBy: { figure, within: 1 } };
  const { problem } = await playFigure(figure, ranges, mutant);
  return problem ?? 'nothing';
};

const found = (figure: string, count: number, plant: Plant, from = 1): Promise<string> =>
  foundIn(figure, [{ from, count }], plant);

describe('a planted bug', () => {
  it('is caught by sdk-through-the-gateway: a gateway that answers a submission with 200', async () => {
    const { counts, problems } = await playSdk({ from: 1, count: 1 }, async (dialect) => {
      const target = await gatewayTarget(dialect)();
      const relay = await relayTo(target.baseUrl, {
        answer: (asked, answer) =>
          asked === 'POST /jobs' && answer.status === 201 ? { ...answer, status: 200 } : answer,
      });
      return { ...target, baseUrl: relay.baseUrl };
    });
    expect(counts['failed']).toBe(1);
    expect(problems[0]).toContain('npm run replay -- sdk-through-the-gateway --seed 1');
  });

  it.each<readonly [string, Plant, RegExp]>([
    [
      'sends the event of the id once more',
      {
        in: 'placeAfter',
        change: replace(choice('place'), 'place < 0 ? undefined : place'),
      },
      /duplicate/u,
    ],
    [
      'says nothing of events that a job lost',
      { in: 'readEvents', change: replace(condition('number', 'lostTo'), 'true') },
      /silent|missing|too early/u,
    ],
    [
      'sends a snapshot without a gap',
      { in: 'nativeReader.resync', change: replace(value('frames'), 'fresh.frames') },
      /in place of a gap|not where the job is/u,
    ],
    [
      'forgets how many outputs of an event a reader has',
      { in: 'parseResumeToken', change: replace(value('documents'), '0') },
      /duplicate|an id twice/u,
    ],
    [
      'gives its log another name with each event',
      {
        in: 'headOf',
        change: replace(branch('known'), 'if (known !== undefined) return { ...known, epoch: newEpoch() };'),
      },
      /a gap was said where nothing is lost|too early/u,
    ],
    [
      'gives two events one id',
      { in: 'takeProgress', change: replace(value('id'), '`${batch.position}~p1`') },
      /an id twice/u,
    ],
    [
      'shows the id of the service',
      { in: 'asShown', change: replace(operation('===', 'submitted'), 'false') },
      /a state names the job/u,
    ],
    [
      'forgets which status a reader has that resumes among the outputs so far',
      { in: 'parseResumeToken', change: replace(value('statusAt'), 'undefined') },
      /not where the job is|out of its order/u,
    ],
    [
      'leaves progress out of a last status',
      { in: 'changesBetween', change: replace(operation('&&', 'hasEnded', 'progress'), 'false') },
      /the events make another state/u,
    ],
  ])(
    'is caught by resumed-streams: a gateway that %s',
    async (_, plant, problem) => {
      // The first world that shows it is enough, of forty.
      const ranges = Array.from({ length: 20 }, (_, at) => ({ from: 1 + 2 * at, count: 2 }));
      expect(await foundIn('resumed-streams', ranges, plant)).toMatch(problem);
    },
    patienceMs,
  );

  it.each<readonly [string, Plant, RegExp]>([
    [
      'does not wait for the first of equal submissions',
      { in: 'submissions.submit', change: replace(condition('first', '==='), 'true') },
      /answers like/u,
    ],
    [
      'gives a caller the job of another one with the same key',
      { in: 'submissions.submit', change: replace(value('name'), 'key') },
      /another caller|jobs of the service/u,
    ],
  ])(
    'is caught by one-key-one-job: a gateway that %s',
    async (_, plant, problem) => {
      expect(await found('one-key-one-job', 60, plant)).toMatch(problem);
    },
    patienceMs,
  );

  it.each<readonly [string, Plant, RegExp]>([
    [
      'gives every caller every job',
      { in: 'ownedJobs.known', change: replace(operation('===', 'owner'), 'true') },
      /another caller's job: .* was answered/u,
    ],
    [
      'tells by its refusal whether a job exists',
      {
        in: 'ownedJobs.known',
        change: replace(
          choice('owner'),
          'job?.record.owner === name ? job : job && ({ ...job, record: undefined } as never)',
        ),
      },
      /differs|was answered/u,
    ],
    [
      'takes a watch token that it did not sign',
      { in: 'watchTokens.read', change: drop(branch('isOurs')) },
      /a watch token that is not good/u,
    ],
    [
      'takes a watch token that has expired',
      { in: 'watchTokens.read', change: replace(operation('>', 'expiresAt'), 'true') },
      /a watch token that is not good/u,
    ],
    [
      'takes the watch token of another job',
      { in: 'authoriseWith', change: replace(condition('claim'), 'claim !== undefined') },
      /a watch token that is not good/u,
    ],
    [
      'serves pages from elsewhere',
      { in: 'crossOriginRequest', change: replace(value('isOfAPage'), 'false') },
      /a page or a host from elsewhere/u,
    ],
    [
      'serves whatever host it is called',
      { in: 'crossOriginRequest', change: drop(branch('isLoopbackName')) },
      /a page or a host from elsewhere/u,
    ],
    [
      'takes a text for JSON',
      { in: 'isDeclaredJson', change: replace(body, 'true') },
      /a POST that is no JSON/u,
    ],
  ])(
    'is caught by secrets-and-walls: a gateway that %s',
    async (_, plant, problem) => {
      expect(await found('secrets-and-walls', 400, plant, 2)).toMatch(problem);
    },
    patienceMs,
  );

  it.each([canaryKey('of-the-gateway'), canaries.partnerKey, canaries.signature].flatMap(encodingsOf))(
    'is caught by secrets-and-walls: a secret that the gateway shows (%s)',
    (_, form) => {
      const line = { what: 'a line', text: `before ${form} after` };
      expect(secretsIn([line, { ...line, text: 'nothing' }])).not.toEqual([]);
    },
  );

  it('is caught by secrets-and-walls: too few tries, or jobs with secrets', () => {
    const of = (counts: Readonly<Record<string, number>>) =>
      secretsAndWalls.shortfalls?.(
        { counts: { tries: 10, 'jobs with secrets': 100, ...counts }, problems: [] },
        10,
      );
    expect(of({})).toEqual([]);
    expect(of({ tries: 9 })).toHaveLength(1);
    expect(of({ 'jobs with secrets': 99 })).toHaveLength(1);
  });

  it.each<readonly [string, Plant, RegExp]>([
    [
      'takes up no job after a kill',
      { in: 'recover', change: drop(statement('takeUp')) },
      /(?:pending|in_progress) in place of/u,
    ],
    [
      'lets two processes have one folder',
      {
        in: 'openLevel',
        change: replace(call('refuseOldFiles'), "rm(join(path, 'LOCK'), { force: true })"),
      },
      /a second process on the folder/u,
    ],
    [
      'gives every caller every job',
      { in: 'ownedJobs.known', change: replace(operation('===', 'owner'), 'true') },
      /another caller was shown/u,
    ],
  ])(
    'is caught by killed-gateways: a gateway that %s',
    async (_, mutant, problem) => {
      const mutated = [plant({ ...mutant, id: 'of killed-gateways' })];
      expect((await killGateways({ from: 1, count: 1 }, mutated, 8_000)).problems.join()).toMatch(problem);
    },
    patienceMs,
  );

  it(
    'is caught by hostile-caller: a gateway in which an error of a body that breaks off has no handler',
    async () => {
      const change = replace(statement('cancel', 'catch'), 'void Promise.reject(error);');
      const mutated = [plant({ in: 'counted', change, id: 'of hostile-caller' })];
      expect((await besideHostile({ from: 1, count: 4 }, mutated)).problems.join()).toMatch(
        /serve ended with 1/u,
      );
    },
    patienceMs,
  );

  it('is caught by hostile-caller: jobs that are missing, honest callers who wait, and memory that grows', () => {
    const fine = { 'honest jobs': 200, 'times as long': 2, 'most MiB of RSS': 500 };
    const of = (counts: Readonly<Record<string, number>>) =>
      hostileCaller.shortfalls?.({ counts: { ...fine, ...counts }, problems: [] }, 200);
    expect(of({})).toEqual([]);
    const worse = [
      of({ 'honest jobs': 199 }),
      of({ 'times as long': 4.1 }),
      of({ 'most MiB of RSS': 1_025 }),
    ];
    expect(worse.flat()).toHaveLength(3);
  });

  it('is caught by killed-gateways: too few kills, jobs or readers', () => {
    const fine = { kills: killedGateways.count, ended: 100, 'cut readers': 20 };
    const of = (counts: Readonly<Record<string, number>>) =>
      killedGateways.shortfalls?.({ counts: { ...fine, ...counts }, problems: [] }, killedGateways.count);
    expect(of({})).toEqual([]);
    expect([of({ kills: 1 }), of({ ended: 99 }), of({ 'cut readers': 19 })].flat()).toHaveLength(3);
  });

  it('is caught by many-readers and stalled-readers: a reader that sees no end, and memory that grows', () => {
    const of = (counts: Readonly<Record<string, number>>) => ({ counts, problems: [] });
    expect(manyReaders.shortfalls?.(of({ 'saw the end': 2_000 }), 2_000)).toEqual([]);
    expect(manyReaders.shortfalls?.(of({ 'saw the end': 1_999 }), 2_000)).toHaveLength(1);
    const stalled = {
      'stalled readers': 3_000,
      'readers with a full socket': 1_500,
      'median MiB of RSS': 96,
    };
    expect(stalledReaders.shortfalls?.(of(stalled), 5_000)).toEqual([]);
    expect(stalledReaders.shortfalls?.(of({ ...stalled, 'median MiB of RSS': 96.1 }), 5_000)).toHaveLength(1);
    expect(
      stalledReaders.shortfalls?.(of({ ...stalled, 'readers with a full socket': 1_499 }), 5_000),
    ).toHaveLength(1);
  });

  it('is caught by resumed-streams: too few cuts, or none of a kind', () => {
    const fine = { cuts: 10_000, forged: 100, 'gaps said': 100, restarts: 100 };
    const of = (counts: Readonly<Record<string, number>>) =>
      resumedStreams.shortfalls?.({ counts: { ...fine, ...counts }, problems: [] }, resumedStreams.count);
    expect(of({})).toEqual([]);
    expect(of({ cuts: 9_999 })).toHaveLength(1);
    expect(of({ restarts: 0, 'gaps said': 0 })).toHaveLength(2);
  });
});
