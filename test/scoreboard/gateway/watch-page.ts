import { type BrowserPage, startBrowser } from '../../helpers/browser.js';
import { findProgram } from '../../helpers/find-program.js';
import { hostPage } from './page-host.js';
import { setTimeout as wait } from 'node:timers/promises';
import type { Told } from './watching-page.js';

/** What came of {@link watchInPages}. */
export interface Watched {
  readonly jobs: number;
  /** States that the pages were told. */
  readonly states: number;
  readonly mostConnections: number;
  readonly maxStreams: number;
  readonly problems: readonly string[];
}

const patienceMs = 60_000;

/** Follows so many jobs in a page that is reloaded, cut off, frozen and joined by a second tab, which goes on alone. */
export const watchInPages = async (count: number): Promise<Watched> => {
  const chromium = findProgram('chromium');
  if (chromium === undefined) throw new Error('chromium is not installed');
  await using host = await hostPage(count);
  await using browser = await startBrowser(chromium);
  const problems: string[] = [];
  const lives: (readonly [name: string, told: Readonly<Record<string, Told>>])[] = [];
  const endLife = async (name: string, page: BrowserPage): Promise<void> => {
    lives.push([name, await toldTo(page)]);
  };
  const shareEnded = (share: number): Promise<void> => until(() => host.ended() >= share * count);

  const page = await browser.open(host.address);
  await shareEnded(0.1);
  await endLife('before the reload', page);
  await page.reload();
  await shareEnded(0.25);
  await page.setOffline(true);
  host.cut();
  await shareEnded(0.4);
  await page.setOffline(false);
  await until(() => host.streams() === 1);
  await page.setFrozen(true);
  await until(() => host.streams() === 0).catch(() => problems.push('a frozen page holds its stream'));
  await shareEnded(0.6);
  await page.setFrozen(false);
  await until(() => host.streams() === 1);
  const second = await browser.open(host.address);
  await shareEnded(0.75);
  await endLife('of the first tab', page);
  await page.close();
  await shareEnded(1);
  await until(async () => Object.values(await toldTo(second)).every(({ end }) => end !== undefined)).catch(
    () => undefined,
  );
  await endLife('of the second tab', second);

  const finals = new Map(
    await Promise.all(host.jobs.map(async (job) => [job, await host.stateOf(job)] as const)),
  );
  for (const [name, told] of lives) problems.push(...doubled(name, told), ...backwards(name, told));
  problems.push(...lost(lives.at(-1)![1], finals), ...page.errors, ...second.errors);
  const { connections, streams } = host.most();
  return {
    jobs: host.jobs.length,
    states: lives.reduce((sum, [, told]) => sum + statesOf(told), 0),
    mostConnections: connections,
    maxStreams: streams,
    problems,
  };
};

const toldTo = (page: BrowserPage) => page.evaluate<Readonly<Record<string, Told>>>('told');

const statesOf = (told: Readonly<Record<string, Told>>): number =>
  Object.values(told).reduce((sum, { states }) => sum + states.length, 0);

const doubled = (name: string, told: Readonly<Record<string, Told>>): readonly string[] =>
  Object.entries(told)
    .filter(([, { states }]) => states.some((state, nth) => state === states[nth - 1]))
    .map(([job]) => `the page ${name} was told a state of ${job} twice`);

const order = ['submitting', 'pending', 'in_progress', 'completed'];

const backwards = (name: string, told: Readonly<Record<string, Told>>): readonly string[] =>
  Object.entries(told)
    .filter(([, { states }]) => {
      const places = states.map((state) => order.indexOf((JSON.parse(state) as { phase: string }).phase));
      return places.some((place, nth) => place < (places[nth - 1] ?? 0));
    })
    .map(([job]) => `the page ${name} was told of ${job} going backwards`);

/** What the last page does not know of the ends. */
const lost = (
  told: Readonly<Record<string, Told>>,
  finals: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): readonly string[] =>
  [...finals].flatMap(([job, final]) => {
    const { states, end } = told[job] ?? { states: [], end: 'never told' };
    const last = JSON.parse(states.at(-1) ?? '{}') as Readonly<Record<string, unknown>>;
    const isEqual =
      JSON.stringify(last['outputs']) ===
      JSON.stringify((final['state'] as typeof last | undefined)?.['outputs']);
    return end === 'completed' && last['phase'] === 'completed' && isEqual
      ? []
      : [
          `the last page was told of ${job}: ${String(last['phase'])}, ${String(end)}${isEqual ? '' : ', other outputs'}`,
        ];
  });

const until = async (isThere: () => boolean | Promise<boolean>): Promise<void> => {
  const last = performance.now() + patienceMs;
  while (!(await isThere())) {
    if (performance.now() > last) throw new Error('it did not come to that');
    await wait(25);
  }
};
