// Rolls the declarations of each entry up into one file beside its script, and compares its public surface with the report in docs.
//   node scripts/declarations.mjs [--renew | --check] [dist]: --renew writes the reports, --check fails where one differs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { entries, manifest, root } from './entries.mjs';
import { importByName } from './import-by-name.mjs';

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

/** Runs api-extractor on a module: it rolls the declarations up into one file, or writes or compares a report, or both. */
const extract = (compilerState, module, options) => {
  const config = configOf(module, options);
  const localBuild = values.check !== true;
  const result = Extractor.invoke(config, { compilerState, localBuild, messageCallback });
  if (result.succeeded) return;
  process.exitCode = 1;
  if (result.apiReportChanged)
    console.error(`docs/${options.report} is not of this code: npm run api renews it`);
};

const configOf = (module, { rolledUp = false, report }) =>
  ExtractorConfig.prepare({
    configObject: {
      ...settings,
      mainEntryPointFilePath: join(folder, `${module}.d.ts`),
      apiReport: {
        enabled: report !== undefined,
        ...(report !== undefined && { reportFileName: report }),
        reportFolder: join(root, 'docs'),
        reportTempFolder: folder,
      },
      dtsRollup: { enabled: rolledUp, untrimmedFilePath: join(dist, `${module}.d.ts`) },
    },
    configObjectFullPath: settingsFile,
    packageJsonFullPath: join(root, 'package.json'),
  });

/** A condition of an export adds its own `createClient` to what all of them share, which is rolled up as `index`. */
const copyDeclarations = (name) => {
  const text = readFileSync(join(folder, `${name}.d.ts`), 'utf8').replace(/^\/\/# sourceMappingURL=.*/m, '');
  const foreign = /from '\.\/(?!index\.js').*'/.exec(text);
  if (foreign !== null)
    throw new Error(`src/${name}.ts declares something ${foreign[0]}; src/index.ts has to export it`);
  writeFileSync(join(dist, `${name}.d.ts`), text);
};

/** Makes the package's name mean, for the compiler's declarations, what the runtimes of the main entry share. */
const declareByName = () => {
  const own = join(folder, 'node_modules', manifest.name);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(own, 'package.json'),
    JSON.stringify({ name: manifest.name, type: 'module', types: './index.d.ts' }),
  );
  writeFileSync(join(own, 'index.d.ts'), "export * from '../../index.js';\n");
};

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
  declareByName();
  importByName({ folder, main: [entries[0].declared, ...entries[0].modules], name: manifest.name });
  const compilerState = CompilerState.create(configOf(entries[0].declared, {}), {
    additionalEntryPoints: entries
      .flatMap(({ modules }) => modules)
      .map((name) => join(folder, `${name}.d.ts`)),
  });
  for (const { modules, declared, reported, report } of entries) {
    const asked = withReports ? { report } : {};
    if (declared === reported) extract(compilerState, declared, { rolledUp: true, ...asked });
    else {
      extract(compilerState, declared, { rolledUp: true });
      if (withReports) extract(compilerState, reported, asked);
      for (const name of modules) copyDeclarations(name);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
