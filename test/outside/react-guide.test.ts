import { dirname, join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/node.js';
import { createGateway } from '../../src/gateway.js';
import { createRemote } from '../../src/remote.js';
import { describeWith, findInstalled } from '../helpers/describe-with.js';
import { fencesOf } from '../helpers/fences.js';
import { type LoadedReact, loadReact } from './loaded-react.js';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { template } from '../../src/workflow.js';
import * as E from '../../src/core/protocol/either.js';

const guide = join(import.meta.dirname, '..', '..', 'docs', 'guide', 'react.md');
const workflow = textToImageWorkflow({ steps: 3, width: 64, height: 64 });

describeWith('happy-dom', findInstalled('happy-dom/package.json'), (manifest) => {
  const packages = dirname(dirname(manifest));
  let react: LoadedReact;
  beforeAll(async () => {
    react = await loadReact(
      packages,
      packages,
      fencesOf(guide, 'tsx').map(({ code }) => code),
    );
  });

  /** A client of an emulator, and a remote of a gateway over it. */
  const sources = async () => {
    const emulator = await startEmulator({ speed: Infinity });
    const client = createClient(emulator);
    const picture = E.getOrThrow(template(workflow, { prompt: 'Prompt.text' }));
    const gateway = createGateway({ client, authorize: () => ({ name: 'a' }), templates: { picture } });
    const remote = createRemote({
      url: 'http://gateway.test',
      fetch: (url, init) => gateway.fetch(new Request(url, init)),
    });
    onTestFinished(async () => {
      remote.close();
      await gateway.close();
      await client.close();
      await emulator.close();
    });
    return { client, remote, emulator };
  };

  /** Shows a component of the guide, and looks at it as it changes. */
  const shown = (at: number, name: string, props: Readonly<Record<string, unknown>>) => {
    const place = react.place();
    const root = react.createRoot(place);
    const component = react.examples[at]![name]!;
    root.render(react.createElement(react.StrictMode, null, react.createElement(component, props)));
    onTestFinished(() => root.unmount());
    const press = async (text: string) => {
      const button = () => [...place.querySelectorAll('button')].find((one) => one.textContent === text);
      await expect.poll(button).toBeDefined();
      button()!.click();
    };
    return {
      place,
      press,
      text: () => place.textContent,
      pictures: () => [...place.querySelectorAll('img')].length,
    };
  };

  it('the components of the guide paint, show pictures, list jobs and say what is gone', async () => {
    await react.concurrently(async () => {
      const { client, remote, emulator } = await sources();
      const painter = shown(0, 'Painter', { remote });
      await painter.press('Paint');
      await expect.poll(painter.pictures).toBe(1);

      const page = shown(1, 'Page', { remote });
      await page.press('Paint');
      await expect.poll(page.text).toContain('completed');
      const job = location.hash;
      location.hash = '#no-such-job';
      await expect.poll(page.text).toContain('This job is gone.');
      location.hash = job;
      await expect.poll(page.text).toContain('completed');

      const gallery = shown(2, 'Gallery', { remote });
      await expect.poll(gallery.pictures).toBe(2);

      const engine = shown(3, 'Engine', { client, workflow });
      await engine.press('Run');
      await expect.poll(engine.text).toContain('completed');
      expect(emulator.ledger.jobs).toHaveLength(3);
    });
  });
});
