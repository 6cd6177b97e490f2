// Packs the package, installs it in an empty project as a user would, and checks it there.
import { checkCommand } from './consumer/check-command.mjs';
import { checkInstall } from './consumer/check-install.mjs';
import { checkPage } from './consumer/check-page.mjs';
import { checkPrograms } from './consumer/check-programs.mjs';
import { makeProject } from './consumer/project.mjs';

const project = makeProject();
try {
  for (const check of [checkInstall, checkPrograms, checkCommand, checkPage])
    console.log(`ok ${await check(project)}`);
} finally {
  project.remove();
}
