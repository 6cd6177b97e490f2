import { isPlayable, NotPossible, type Scenario } from './scenario.js';
import type { DisposableTarget } from './target.js';

/** How a scenario ended. */
export interface PlayedScenario {
  readonly scenario: Scenario;
  /** `passed`, `left out` where the target lacks what it needs, or what the server did otherwise. */
  readonly outcome: 'passed' | 'left out' | Error;
  readonly seconds: number;
}

/** Plays scenarios, the long parts first and all at once, each on a target of its own; a few at a time. */
export const playScenarios = async (
  scenarios: readonly Scenario[],
  start: () => Promise<DisposableTarget>,
  atOnce = 6,
): Promise<readonly PlayedScenario[]> => {
  const long = scenarios.filter((scenario) => scenario.long !== undefined);
  const short = scenarios.filter((scenario) => scenario.play !== undefined);
  const played = long.map((scenario) => playOne(scenario, scenario.long!, start));
  const next = short.values();
  const worker = async (): Promise<readonly PlayedScenario[]> => {
    const own: PlayedScenario[] = [];
    for (const scenario of next) own.push(await playOne(scenario, scenario.play!, start));
    return own;
  };
  const others = await Promise.all(Array.from({ length: atOnce }, worker));
  return [...(await Promise.all(played)), ...others.flat()];
};

const playOne = async (
  scenario: Scenario,
  play: NonNullable<Scenario['play']>,
  start: () => Promise<DisposableTarget>,
): Promise<PlayedScenario> => {
  const startedAt = performance.now();
  const ended = (outcome: PlayedScenario['outcome']): PlayedScenario => ({
    scenario,
    outcome,
    seconds: (performance.now() - startedAt) / 1000,
  });
  try {
    await using target = await start();
    if (!isPlayable(target, scenario.needs)) return ended('left out');
    await play(target);
    return ended('passed');
  } catch (error) {
    if (error instanceof NotPossible) return ended('left out');
    return ended(error instanceof Error ? error : new Error(String(error)));
  }
};
