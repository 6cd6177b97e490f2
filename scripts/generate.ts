// Writes the generated code of src and the generated part of docs, or, with --check, fails where it is not what would be written.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandPage, commandPageFile } from './command-page.js';
import { failureModesFile, failureModesPage } from './failure-modes-page.js';
import { guardsFile, guardsSource } from './guards-source.js';
import { luaFile, luaSource } from './lua-source.js';
import { runtimePages } from './runtime-pages.js';
import { sdkScenariosFile, sdkScenariosPage } from './sdk-scenarios-page.js';
import { shapesFile, shapesSource } from './shapes-source.js';
import { shapeDefinitions } from './shape-definitions.js';

const files = [
  [guardsFile, await guardsSource(shapeDefinitions.eventShapes)],
  [shapesFile, await shapesSource(shapeDefinitions)],
  [luaFile, await luaSource()],
  [sdkScenariosFile, await sdkScenariosPage()],
  [failureModesFile, await failureModesPage(readFileSync(failureModesFile, 'utf8'))],
  ...(await runtimePages()),
  [commandPageFile, await commandPage(readFileSync(commandPageFile, 'utf8'))],
] as const;

for (const [file, source] of files) {
  if (!process.argv.includes('--check')) {
    writeFileSync(file, source);
  } else if (readFileSync(file, 'utf8') !== source) {
    console.error(`${fileURLToPath(file)} is not what it is made from; run npm run generate.`);
    process.exitCode = 1;
  }
}
