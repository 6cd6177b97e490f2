// Runs in the page: jobs on engines of other origins, which allow this page.
import { filter, lastValueFrom, toArray } from 'rxjs';
import type { Workflow } from '../../../src/browser.js';
import { createPool } from '../../../src/pool.js';

declare const settings: { readonly baseUrls: readonly string[]; readonly workflows: readonly Workflow[] };

const pool = createPool({
  servers: settings.baseUrls.map((baseUrl, at) => ({ baseUrl, name: `engine-${at}`, dialect: 'local' })),
});
const ends = await lastValueFrom(
  pool.runAll(settings.workflows).pipe(
    filter(({ state }) => state.phase === 'completed'),
    toArray(),
  ),
);
await pool.close();

await fetch('/report', {
  method: 'POST',
  body: JSON.stringify({
    completed: ends.length,
    servers: [...new Set(ends.map(({ state }) => state.server))].toSorted(),
  }),
});
