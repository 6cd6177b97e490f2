import { createElement } from 'react';
import { createRemote } from '../../src/remote.js';
import { expect, it, vi } from 'vitest';
import { renderToString } from 'react-dom/server';
import { useConnection, useJob, useJobs, useOutputs, usePreview, useRun } from '../../src/react.js';

// What needs a document is in test/outside/react-hooks.test.ts, by React 18 as well.
it('the hooks show nothing yet on a server, and ask nothing', () => {
  const fetched = vi.fn();
  const remote = createRemote({ fetch: fetched });
  const Page = () => {
    const [job, { jobs }, { outputs }] = [useJob(remote, 'a'), useJobs(remote), useOutputs(remote, 'a')];
    const [preview, run] = [usePreview(remote, 'a'), useRun(remote)];
    const shown = [job.id, job.state, jobs, outputs, preview.url, run.state, useConnection(remote)];
    return JSON.stringify(shown.map((one) => one ?? 'none'));
  };
  const html = renderToString(createElement(Page)).replaceAll('&quot;', '"');
  expect(html).toBe('["a","none",[],"none","none","none",{"_tag":"idle"}]');
  expect(fetched).not.toHaveBeenCalled();
});
