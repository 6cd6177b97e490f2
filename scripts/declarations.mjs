// Rolls the declarations of each entry up into one file beside its script, and compares its public surface with the report in docs.
//   node scripts/declarations.mjs [--renew | --check] [dist]: --renew writes the reports, --check fails where one differs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { entries, root } from './entries.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { renew: { type: 'boolean' }, check: { type: 'boolean' } },
});
const dist = positionals[0] ?? join(root, 'dist');
const withReports = values.renew === true || values.check === true;

mkdirSync(join(root, 'temp'), { recursive: true });
/** The compiler's declarations, one file a module. The folder is below the root, from where they find the dependencies. */
const folder = mkdtempSync(join(root, 'temp', 'declarations-'));

const settingsFile = join(root, '.config', 'api-extractor.json');
const settings = ExtractorConfig.loadFile(settingsFile);

/** What api-extractor does with a module: it rolls its declarations up, and writes or compares the report if it is given one. */
const configOf = (module, report) =>
  ExtractorConfig.prepare({
    configObject: {
      ...settings,
      mainEntryPointFilePath: join(folder, `${module}.d.ts`),
      apiReport: {
        enabled: withReports && report !== undefined,
        ...(report !== undefined && { reportFileName: report }),
        reportFolder: join(root, 'docs'),
        reportTempFolder: folder,
      },
      dtsRollup: { enabled: true, untrimmedFilePath: join(dist, `${module}.d.ts`) },
    },
    configObjectFullPath: settingsFile,
    packageJsonFullPath: join(root, 'package.json'),
  });

/** Shows errors, such as a member without a docstring, where reports are asked for; warnings stand in the report. */
const messageCallback = (message) => {
  if (!withReports) message.logLevel = 'none';
  message.handled = message.logLevel !== 'error';
};

try {
  const compiler = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', folder], {
    stdio: 'inherit',
  });
  const configs = entries.flatMap(({ modules, reported, report }) =>
    modules.map((module) => configOf(module, module === reported ? report : undefined)),
  );
  const compilerState = CompilerState.create(configs[0], {
    additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  for (const config of configs) {
    const localBuild = values.check !== true;
    const result = Extractor.invoke(config, { compilerState, localBuild, messageCallback });
    if (result.succeeded) continue;
    process.exitCode = 1;
    if (result.apiReportChanged)
      console.error(`${config.reportFilePath} is not of this code: npm run api renews it`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
