import { describesFramework } from './describes-framework.js';
import { describeWith, installedIn } from '../helpers/describe-with.js';

describeWith('Nitro', installedIn('nitro'), (packages) => {
  describesFramework({
    packages,
    recipe: 'gateway-nitro.mjs',
    place: 'server/routes/comfy/[...path].js',
    files: { 'nitro.config.mjs': "export default { srcDir: 'server', compatibilityDate: '2026-11-01' };\n" },
    build: ['node_modules/nitropack/dist/cli/index.mjs', 'build'],
    start: () => ['.output/server/index.mjs'],
  });
});
