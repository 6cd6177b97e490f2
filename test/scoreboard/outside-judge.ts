import { allScenarios } from '../sdk/all-scenarios.js';
import { emulatorTarget } from '../sdk/emulator-target.js';
import { accepted } from '../sdk/judge.js';
import { playScenarios } from '../sdk/play-scenarios.js';
import type { Figure, Range, Tally } from './figure.js';
import { watchProcess } from './process-health.js';

/** A client that others wrote plays the emulator of API v2, with the scenarios that take long. */
export const outsideJudge: Figure = {
  id: 'outside-judge',
  what: "the vendor's unmodified SDK 0.1.9 plays 52 scenarios against the emulator of API v2, and its schemas read every answer",
  target: 'all 52 hold, also those that take up to 50 s; 0 answers refused by a schema',
  count: allScenarios.length,
  splits: false,
  mostlyWaits: true,
  run: (range) => judgeOutside(range),
  shortfalls: ({ counts }, count) =>
    (counts['played'] ?? 0) === count ? [] : [`only ${counts['played'] ?? 0} of ${count} were played`],
};

const judgeOutside = async ({ from, count }: Range): Promise<Tally> => {
  const seenByProcess = watchProcess();
  const scenarios = allScenarios.filter(({ number }) => number >= from && number < from + count);
  const played = await playScenarios(scenarios, () => emulatorTarget());
  const problems = played.flatMap(({ scenario: { number, title }, outcome }) =>
    outcome instanceof Error
      ? [`${number} ${title}: ${outcome.message}; npm run replay -- outside-judge --seed ${number}`]
      : [],
  );
  const numbers = new Set(
    played.filter(({ outcome }) => outcome !== 'left out').map(({ scenario }) => scenario.number),
  );
  const by = (who: string) => scenarios.filter((scenario) => scenario.by.startsWith(who)).length;
  return {
    counts: {
      played: numbers.size,
      'with the SDK': by('sdk'),
      'by fetch alone': by('fetch'),
      'answers accepted': Object.values(accepted).reduce((sum, times) => sum + times, 0),
      'longest s': Math.max(...played.map(({ seconds }) => seconds)),
      violations: problems.length,
    },
    problems: [...problems, ...(await seenByProcess())],
  };
};
