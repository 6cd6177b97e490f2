import { describesFramework } from './describes-framework.js';
import { describeWith, installedIn } from '../helpers/describe-with.js';

const root = '{ outputFileTracingRoot: import.meta.dirname, turbopack: { root: import.meta.dirname } }';

describeWith('Next', installedIn('next'), (packages) => {
  describesFramework({
    packages,
    recipe: 'gateway-next.mjs',
    place: 'app/comfy/[...path]/route.js',
    // The folder has no lock file by which Next would find it.
    files: { 'next.config.mjs': `export default ${root};\n` },
    build: ['node_modules/next/dist/bin/next', 'build'],
    start: (port) => ['node_modules/next/dist/bin/next', 'start', '-p', String(port), '-H', '127.0.0.1'],
  });
});
