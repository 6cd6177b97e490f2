import { lastValueFrom, toArray } from 'rxjs';
import { startEmulator } from '../../src/emulator.js';
import { createClient, type Workflow } from '../../src/node.js';
import { failingWorkflow } from '../cli/helpers/workflows.js';
import { canaries, canaryKey } from '../helpers/canaries.js';
import { encodingsOf } from '../helpers/canary.js';
import { sinks } from '../helpers/sinks.js';

/** Runs jobs that carry a partner's key and fail with it in their words, in each encoding, and shows all that the client reports. */
export const runPartnerJobs = async (): Promise<number> => {
  const { partnerKey } = canaries;
  const forms = encodingsOf(partnerKey);
  await using emulator = await startEmulator({ speed: Infinity, acceptKeys: [canaryKey('of-partners')] });
  await using client = createClient(emulator);
  client.connection.subscribe((state) => sinks.state('a connection state', state));
  for (const [encoding, form] of forms) {
    const running = client.run(failingWorkflow('OOMError', form) as Workflow, { partnerKey });
    const states = await lastValueFrom(running.pipe(toArray()));
    const promptId = states.at(-1)?.promptId ?? '';
    sinks.value(`a job with a partner's key (${encoding})`, states);
    sinks.value('its status', await client.rest.jobStatus(promptId)());
    sinks.value('the same, followed', await lastValueFrom(client.follow(promptId).pipe(toArray())));
  }
  sinks.value('its client', client);
  return forms.length;
};
