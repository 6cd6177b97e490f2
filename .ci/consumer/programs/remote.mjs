import { createClient } from 'promptwire';
import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';
import { createGateway } from 'promptwire/gateway';
import { createRemote } from 'promptwire/remote';
import { lastValueFrom, toArray } from 'rxjs';

const emulator = await startEmulator({ speed: Infinity });
const client = createClient(emulator);
const gateway = createGateway({ client, authorize: () => ({ name: 'web' }) });
const remote = createRemote({
  url: 'http://gateway.test',
  fetch: (input, init) => gateway.fetch(new Request(input, init)),
});
const workflow = textToImageWorkflow({ width: 64, height: 64, steps: 2 });
const states = await lastValueFrom(remote.run(workflow).pipe(toArray()));
console.log(states[0].phase, states.at(-1).phase);
remote.close();
await gateway.close();
await client.close();
await emulator.close();
