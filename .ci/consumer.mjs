// Packs the package, installs it in an empty project as a user would, and checks it there.
//   node .ci/consumer.mjs [node…]: runs its programs by these other versions of Node as well.
import { checkCommand } from './consumer/check-command.mjs';
import { checkInit } from './consumer/check-init.mjs';
import { checkInstall } from './consumer/check-install.mjs';
import { checkPage } from './consumer/check-page.mjs';
import { checkPrograms } from './consumer/check-programs.mjs';
import { makeProject } from './consumer/project.mjs';

const project = makeProject();
try {
  for (const check of [checkInstall, checkPrograms, checkCommand, checkInit, checkPage])
    console.log(`ok ${await check(project)}`);
  for (const node of process.argv.slice(2)) console.log(`ok ${checkPrograms(project, node)}`);
} finally {
  project.remove();
}
