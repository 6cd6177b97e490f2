// Submit in one program and follow in another: only the prompt id must be kept.
import { toPromise } from 'promptwire';
import { textToImageWorkflow } from 'promptwire/emulator';
import { lastValueFrom } from 'rxjs';
import { connect } from './service.js';

const { client, close } = await connect();

const { promptId } = await toPromise(
  client.rest.submit(textToImageWorkflow({ prompt: 'a river', steps: 5, width: 64, height: 64 })),
);
console.log(`submitted ${promptId}`);

// Hours later, in another program: status and history supply what happened meanwhile.
const last = await lastValueFrom(client.follow(promptId));
console.log(last.phase, Object.keys(last.outputs));
await close();
