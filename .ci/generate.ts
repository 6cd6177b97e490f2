// Writes the generated code of src, or, with --check, fails where it is not what would be written.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventCodecs } from '../src/protocol/events/event-data.js';
import { guardsFile, guardsSource } from './guards-source.js';

const source = await guardsSource(eventCodecs);

if (!process.argv.includes('--check')) {
  writeFileSync(guardsFile, source);
} else if (readFileSync(guardsFile, 'utf8') !== source) {
  console.error(`${fileURLToPath(guardsFile)} is not what its codecs make; run npm run generate.`);
  process.exitCode = 1;
}
