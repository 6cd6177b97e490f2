// Submit in one program, follow in another: all that must be kept is the prompt id.
import { toPromise } from 'promptwire';
import { textToImageWorkflow } from 'promptwire/emulator';
import { lastValueFrom } from 'rxjs';
import { connect } from './service.js';

const { client, close } = await connect();

const { promptId } = await toPromise(
  client.rest.submit(textToImageWorkflow({ prompt: 'a river', steps: 5 })),
);
console.log(`submitted ${promptId}`);

// Hours later, somewhere else: whatever happened meanwhile is read from status and history.
const last = await lastValueFrom(client.follow(promptId));
console.log(last.phase, Object.keys(last.outputs));
await close();
