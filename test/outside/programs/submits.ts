// Submits once, and says what came of it.
import process from 'node:process';
import { createClient } from 'promptwire';

const client = createClient({
  baseUrl: process.env['SERVICE_URL'] ?? '',
  apiKey: process.env['SERVICE_KEY'],
});
const submitted = await client.submit({ 1: { class_type: 'SlowNode', inputs: { steps: 1 } } })();
console.log(submitted._tag === 'Left' ? submitted.left._tag : submitted._tag);
await client.close();
