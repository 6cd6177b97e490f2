import { describe, expect, it } from 'vitest';
import { gatewayTarget } from '../sdk/gateway-target.js';
import { relayTo } from '../sdk/relay.js';
import { drop, type Mutant, replace } from '../mutants/mutant.js';
import { playFigure } from '../mutants/play-figure.js';
import { call, condition, operation, statement, value } from '../mutants/selectors.js';
import { playSdk } from './g1.js';
import { g2 } from './g2.js';

/** Each plays in a process of its own. */
const patienceMs = 120_000;

type Plant = Pick<Mutant, 'in' | 'change'>;

const found = async (figure: string, count: number, plant: Plant): Promise<string> => {
  const mutant = { ...plant, id: `of ${figure}`, story: '', caughtBy: { figure, within: count } };
  const { problem } = await playFigure(figure, [{ from: 1, count }], mutant);
  return problem ?? 'nothing';
};

describe('a planted bug', () => {
  it('is caught by G1: a gateway that answers a submission with 200', async () => {
    const { counts, problems } = await playSdk({ from: 1, count: 1 }, async (dialect) => {
      const target = await gatewayTarget(dialect)();
      const relay = await relayTo(target.baseUrl, {
        answer: (asked, answer) =>
          asked === 'POST /jobs' && answer.status === 201 ? { ...answer, status: 200 } : answer,
      });
      return { ...target, baseUrl: relay.baseUrl };
    });
    expect(counts['failed']).toBe(1);
    expect(problems[0]).toContain('npm run replay -- G1 --seed 1');
  });

  it.each<readonly [string, Plant, RegExp]>([
    [
      'sends the event of the id once more',
      {
        in: 'from',
        change: replace(operation('<=', 'number'), '(entries[middle]?.number ?? Infinity) < number'),
      },
      /duplicate/u,
    ],
    [
      'says nothing of events that a job lost',
      { in: 'eventTable.read', change: replace(condition('job', 'lostTo'), 'false') },
      /silent|missing|too early/u,
    ],
    [
      'sends a snapshot without a gap',
      { in: 'streamReader.gap', change: drop(statement('putGap')) },
      /in place of a gap|not where the job is/u,
    ],
    [
      'forgets how many outputs of an event a reader has',
      { in: 'streamReader.open', change: drop(statement('skipped', 'isV2')) },
      /duplicate|an id twice/u,
    ],
    [
      'gives its log another name after a restart',
      { in: 'eventTable.restoreHead', change: replace(call('assign'), 'undefined') },
      /a gap was said where nothing is lost/u,
    ],
    [
      'gives two events one id',
      { in: 'streamReader.transient', change: replace(value(), "() => `${cursor ?? 'start'}~1`") },
      /an id twice/u,
    ],
    [
      'leaves progress out of a last status',
      { in: 'changesBetween', change: replace(operation('&&', 'hasEnded', 'progress'), 'false') },
      /the events make another state/u,
    ],
  ])(
    'is caught by G2: a gateway that %s',
    async (_, plant, problem) => {
      expect(await found('G2', 40, plant)).toMatch(problem);
    },
    patienceMs,
  );

  it.each<readonly [string, Plant, RegExp]>([
    [
      'does not wait for the first of equal submissions',
      { in: 'submissions.submit', change: replace(condition('first'), 'true') },
      /answers like/u,
    ],
    [
      'gives a caller the job of another one with the same key',
      { in: 'submissions.submit', change: replace(value('name'), 'key') },
      /another caller|jobs of the service/u,
    ],
  ])(
    'is caught by G6: a gateway that %s',
    async (_, plant, problem) => {
      expect(await found('G6', 60, plant)).toMatch(problem);
    },
    patienceMs,
  );

  it('is caught by G2: too few cuts, or none of a kind', () => {
    const fine = { cuts: 10_000, forged: 100, 'gaps said': 100, restarts: 100 };
    const of = (counts: Readonly<Record<string, number>>) =>
      g2.shortfalls?.({ counts: { ...fine, ...counts }, problems: [] }, g2.count);
    expect(of({})).toEqual([]);
    expect(of({ cuts: 9_999 })).toHaveLength(1);
    expect(of({ restarts: 0, 'gaps said': 0 })).toHaveLength(2);
  });
});
