// Runs a job and does not close its client.
import process from 'node:process';
import { createClient } from 'promptwire';
import { lastValueFrom } from 'rxjs';

const client = createClient({
  baseUrl: process.env['SERVICE_URL'] ?? '',
  apiKey: process.env['SERVICE_KEY'],
});
const { phase } = await lastValueFrom(client.run({ 1: { class_type: 'SlowNode', inputs: { steps: 1 } } }));
console.log(phase);
