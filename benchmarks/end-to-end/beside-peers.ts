import { lastValueFrom } from 'rxjs';
import { createClient } from '../../src/node.js';
import { comfyUiClientRunner } from '../peers/comfy-ui-client.js';
import { peersMissing } from '../peers/install-peers.js';
import { saintnoRunner } from '../peers/saintno.js';
import { stableCanvasRunner } from '../peers/stable-canvas.js';
import type { Row } from '../row.js';
import { instantWorkflow, startEmulatorProcess } from '../tools/emulator.js';
import { type JobTimes, jobsInTurns, patienceMs, type Runner } from '../tools/jobs-in-turns.js';

const rounds = 60;

const peers = {
  '@stable-canvas/comfyui-client': stableCanvasRunner,
  '@saintno/comfyui-sdk': saintnoRunner,
  'comfy-ui-client': comfyUiClientRunner,
} satisfies Record<string, (baseUrl: string, workflow: object) => Promise<Runner>>;

type PeerName = keyof typeof peers;
const names = Object.keys(peers) as PeerName[];

/** Single jobs, each way in turn. */
export const besidePeers = async (): Promise<readonly Row[]> => {
  const base = { what: 'one job, local dialect', unit: 'ms/job' };
  const missing = await peersMissing();
  if (missing !== undefined) return names.map((against) => ({ ...base, against, note: missing }));
  const { baseUrl, end } = await startEmulatorProcess('local');
  const times = await jobsInTurns<PeerName | 'promptwire'>(
    {
      promptwire: () => Promise.resolve(ourRunner(baseUrl)),
      ...(Object.fromEntries(
        names.map((name) => [name, () => peers[name](baseUrl, instantWorkflow)]),
      ) as Record<PeerName, () => Promise<Runner>>),
    },
    rounds,
  );
  await end();
  const ours = times.promptwire;
  return names.map((against): Row => {
    const peer = times[against];
    const row = { ...base, ours: ours.seconds * 1000, against, ...noteOf(peer) };
    if (Number.isNaN(peer.seconds)) return row;
    return { ...row, baseline: peer.seconds * 1000, ratio: peer.ratioOf(ours) };
  });
};

const noteOf = ({ tried, hung, failed }: JobTimes): Partial<Row> => {
  const parts: string[] = [];
  if (hung > 0) parts.push(`${hung} of ${tried} jobs hung (no end after ${patienceMs / 1000} s)`);
  if (failed > 0) parts.push(`${failed} of ${tried} jobs failed`);
  return parts.length === 0 ? {} : { note: parts.join(', ') };
};

const ourRunner = (baseUrl: string): Runner => {
  const client = createClient({
    baseUrl,
    dialect: 'local',
    requestBudget: { perSecond: 100_000, burst: 100_000 },
  });
  return { run: () => lastValueFrom(client.run(instantWorkflow)), close: () => client.close() };
};
