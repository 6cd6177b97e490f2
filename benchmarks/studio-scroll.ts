import type { Benchmark } from './row.js';
import { buildPackage } from './tools/built.js';
import { chromium, type CDPSession } from 'playwright-core';
import { findProgram } from '../test/helpers/find-program.js';
import { manyResults, serveResults } from './tools/many-results.js';
import { median } from './tools/median.js';

const rounds = 3;

/** How far and how quickly a hand scrolls, in pixels and pixels a second: through some hundred results, each loaded on its way. */
const [distance, speed] = [12_000, 3_000];

/** How smoothly the gallery of the studio scrolls. */
export const studioScroll: Benchmark = {
  name: 'studio-scroll',
  title: `A person scrolls through ${manyResults.toLocaleString('en-US')} results in the gallery of the studio (Chromium without a screen, 1280 × 900), each a picture of 256 pixels that is loaded on its way: ${distance.toLocaleString('en-US')} pixels at ${speed.toLocaleString('en-US')} a second. Counted are the frames of the trace that affect how smooth it is; a frame is dropped that came too late.`,
  run: async () => {
    const executablePath = findProgram('chromium');
    if (executablePath === undefined)
      return [{ what: 'frames', unit: '%', note: 'Chromium is not installed' }];
    await using server = await serveResults(await buildPackage());
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(`${server.address}#/gallery`);
      const list = page.locator('.gallery-list');
      await page.locator('.cell img').first().waitFor();
      // To the last page of the gateway, so that all results are there.
      while (!(await page.getByText(`${manyResults} results`, { exact: true }).isVisible()))
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      const debug = await page.context().newCDPSession(page);
      const shares: number[] = [];
      let frames = 0;
      for (let round = 0; round < rounds; round += 1) {
        await list.evaluate((element, top) => element.scrollTo(0, top), (round + 1) * 30_000);
        await page.waitForLoadState('networkidle');
        const seen = await framesOf(debug, () =>
          debug.send('Input.synthesizeScrollGesture', {
            ...{ x: 640, y: 600, yDistance: -distance, speed, gestureSourceType: 'mouse' },
          }),
        );
        frames += seen.all;
        shares.push((100 * seen.dropped) / seen.all);
      }
      return [
        { what: 'frames that are dropped', unit: '%', ours: median(shares), target: { atMost: 5 } },
        { what: 'frames in all rounds', unit: 'frames', ours: frames },
        {
          what: 'elements of the results in the page',
          unit: 'elements',
          ours: await page.locator('.gallery-all *').count(),
          target: { atMost: 200 },
        },
      ];
    } finally {
      await browser.close();
    }
  },
};

/** What became of a frame. */
interface FrameReport {
  readonly state?: string;
  readonly affects_smoothness?: boolean;
}

/** An event of a trace. */
interface FrameEvent {
  readonly name?: string;
  readonly ph?: string;
  readonly args?: {
    readonly frame_reporter?: FrameReport;
    /** As older versions of Chromium call it. */
    readonly chrome_frame_reporter?: FrameReport;
  };
}

/** The frames that are shown and dropped while something happens, by a trace of the browser. */
const framesOf = async (
  debug: CDPSession,
  act: () => Promise<unknown>,
): Promise<{ readonly all: number; readonly dropped: number }> => {
  const events: FrameEvent[] = [];
  const take = ({ value }: { readonly value: readonly object[] }): void => void events.push(...value);
  debug.on('Tracing.dataCollected', take);
  await debug.send('Tracing.start', {
    traceConfig: { includedCategories: ['cc', 'benchmark'], recordMode: 'recordAsMuchAsPossible' },
    transferMode: 'ReportEvents',
  });
  await act();
  const complete = new Promise<void>((resolve) => debug.once('Tracing.tracingComplete', () => resolve()));
  await debug.send('Tracing.end');
  await complete;
  debug.off('Tracing.dataCollected', take);
  const frames = events
    .filter(({ name, ph }) => name === 'PipelineReporter' && ph === 'b')
    .flatMap(({ args }) => args?.frame_reporter ?? args?.chrome_frame_reporter ?? []);
  const dropped = frames.filter(
    ({ state, affects_smoothness: affects }) => state === 'STATE_DROPPED' && affects !== false,
  ).length;
  const shown = frames.filter(({ state }) => state?.startsWith('STATE_PRESENTED') === true).length;
  return { all: shown + dropped, dropped };
};
