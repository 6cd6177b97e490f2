// Bundles what a page loads to run a job, says what each part of it weighs, and leaves it for size-limit to judge.
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  bundlePage,
  bundleProgram,
  programOfHooks,
  programOfPage,
  programOfRemotePage,
  workflowPrograms,
} from './page-bundle.js';
import { bundlePageByVite } from './page-by-vite.js';

const root = new URL('../', import.meta.url);
const built = new URL('dist/browser.js', root);
const weight = (code: Uint8Array): number => gzipSync(code, { level: 9 }).length;
/** What a page with a client may grow by to convert and validate workflows, in bytes. */
const mostToConvert = 18_300;
/** What a page with React and a remote or a client may grow by to use all hooks, in bytes. */
const mostForHooks = 2_000;
const inKilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2).padStart(6)} kB`;

const { code } = await bundlePage(built);
const { parts } = await bundlePage(new URL('src/browser.ts', root));
const whole = weight(code);

/** Prints what a page weighs, and the share of each part of it. */
const report = (what: string, bytes: number, shares: readonly (readonly [name: string, bytes: number])[]) => {
  const minified = shares.reduce((sum, [, share]) => sum + share, 0);
  console.log(`${inKilobytes(bytes)}  ${what}, minified and compressed by gzip; by share of it:`);
  for (const [name, share] of shares) console.log(`${inKilobytes((bytes * share) / minified)}  ${name}`);
};
report('a page that runs a job', whole, parts);
const modern = await bundlePage(built, ['es2015']);
console.log(`${inKilobytes(weight(modern.code))}  where the bundler takes rxjs by its condition "es2015"`);
console.log(`${inKilobytes(weight(await bundlePageByVite(built)))}  by Vite and its defaults`);

const remotePage = (await bundleProgram(programOfRemotePage(new URL('dist/remote.js', root)))).code;
const remoteParts = (await bundleProgram(programOfRemotePage(new URL('src/remote.ts', root)))).parts;
report('a page that runs a job through a gateway', weight(remotePage), remoteParts);

const workflowEntry = new URL('dist/workflow.js', root);
const convertAndValidate = workflowPrograms.convertAndValidate(workflowEntry);
const findInFile = workflowPrograms.findInFile(workflowEntry);
const workflowPage = (await bundleProgram(convertAndValidate)).code;
const filePage = (await bundleProgram(findInFile)).code;
const weightTogether = async (...programs: readonly string[]): Promise<number> =>
  weight((await bundleProgram(programs.join('\n'), { isWhole: true })).code);
const client = await weightTogether(programOfPage(built));
const beyond = async (program: string): Promise<number> =>
  (await weightTogether(programOfPage(built), program)) - client;
const hooks = programOfHooks(new URL('dist/react.js', root));
const remoteProgram = programOfRemotePage(new URL('dist/remote.js', root));
const hooksBeyond = {
  client: await beyond(hooks),
  remote: (await weightTogether(remoteProgram, hooks)) - (await weightTogether(remoteProgram)),
};
const converting = await beyond(convertAndValidate);
console.log(
  `${inKilobytes(weight(workflowPage))}  a page that converts and validates workflows, without a client`,
);
console.log(
  `${inKilobytes(converting)}  what that adds to a page with a client (at most ${inKilobytes(mostToConvert).trim()})`,
);
console.log(`${inKilobytes(weight(filePage))}  a page that finds workflows in files, without a client`);
for (const name of ['setInput', 'describeInputs', 'template', 'diffWorkflows']) {
  const { code: edits } = await bundleProgram(workflowPrograms.edit(workflowEntry, name));
  console.log(`${inKilobytes(weight(edits))}  a page that uses ${name}, without a client`);
}
for (const [what, bytes] of Object.entries(hooksBeyond)) {
  console.log(`${inKilobytes(bytes)}  what all hooks of React add to a page with a ${what} (at most 2 kB)`);
  if (bytes > mostForHooks) {
    console.error(`The hooks add more than ${inKilobytes(mostForHooks).trim()} to a page with a ${what}.`);
    process.exitCode = 1;
  }
}
if (converting > mostToConvert) {
  console.error(
    `Converting and validating adds more than ${inKilobytes(mostToConvert).trim()} to a page with a client.`,
  );
  process.exitCode = 1;
}

mkdirSync(new URL('temp/', root), { recursive: true });
writeFileSync(new URL('temp/page.js', root), code);
writeFileSync(new URL('temp/remote-page.js', root), remotePage);
writeFileSync(new URL('temp/workflow-page.js', root), workflowPage);
writeFileSync(new URL('temp/file-page.js', root), filePage);
