import { createClient } from 'promptwire';
import { lastValueFrom } from 'rxjs';

// The address, the key and the dialect are those of the environment.
const client = createClient();
const { phase } = await lastValueFrom(
  client.run({ 1: { class_type: 'PreviewText', inputs: { source: 'a text' } } }),
);
await client.close();
console.log(phase);
