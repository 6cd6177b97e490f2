import { isPlayable, NotPossible, type Scenario } from './scenario.js';
import type { DisposableTarget } from './target.js';

/** How a scenario ended. */
export interface PlayedScenario<One extends Scenario = Scenario> {
  readonly scenario: One;
  /** `passed`, `left out` where the target lacks what it needs, or what the server did otherwise. */
  readonly outcome: 'passed' | 'left out' | Error;
  readonly seconds: number;
}

/** They measure how long answers take, or move much, so that nothing else may run beside them. */
const heavy: ReadonlySet<number> = new Set([27, 42]);

/**
 * Plays scenarios, each on a target of its own: the long parts that wait all at once and beside the others, of which a few play at a
 * time; then the heavy long parts one by one.
 */
export const playScenarios = async <One extends Scenario>(
  scenarios: readonly One[],
  start: (scenario: One) => Promise<DisposableTarget>,
  atOnce = 6,
): Promise<readonly PlayedScenario<One>[]> => {
  const long = scenarios.filter((scenario) => scenario.long !== undefined);
  const short = scenarios.filter((scenario) => scenario.play !== undefined);
  const played = long
    .filter(({ number }) => !heavy.has(number))
    .map((scenario) => playOne(scenario, scenario.long!, start));
  const next = short.values();
  const worker = async (): Promise<readonly PlayedScenario<One>[]> => {
    const own: PlayedScenario<One>[] = [];
    for (const scenario of next) own.push(await playOne(scenario, scenario.play!, start));
    return own;
  };
  const others = await Promise.all(Array.from({ length: atOnce }, worker));
  const all = [...(await Promise.all(played)), ...others.flat()];
  for (const scenario of long.filter(({ number }) => heavy.has(number)))
    all.push(await playOne(scenario, scenario.long!, start));
  return all;
};

const playOne = async <One extends Scenario>(
  scenario: One,
  play: NonNullable<Scenario['play']>,
  start: (scenario: One) => Promise<DisposableTarget>,
): Promise<PlayedScenario<One>> => {
  const startedAt = performance.now();
  const ended = (outcome: PlayedScenario['outcome']): PlayedScenario<One> => ({
    scenario,
    outcome,
    seconds: (performance.now() - startedAt) / 1000,
  });
  try {
    await using target = await start(scenario);
    if (!isPlayable(target, scenario.needs)) return ended('left out');
    await play(target);
    return ended('passed');
  } catch (error) {
    if (error instanceof NotPossible) return ended('left out');
    return ended(error instanceof Error ? error : new Error(String(error)));
  }
};
