import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { manifest, root } from '../../scripts/entries.mjs';
import { groupsOf } from '../outline.mjs';
import { slugOf } from '../parts.mjs';
import { pagePaths, titleOf } from '../text-files.mjs';

export default defineConfig({
  title: manifest.name,
  description: manifest.description,
  lang: 'en',
  base: process.env.PROMPTWIRE_SITE_BASE ?? '/',
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  // A page is fetched when it is opened, and no sooner.
  router: { prefetchLinks: false },
  ignoreDeadLinks: false,
  markdown: { anchor: { slugify: slugOf } },
  vite: {
    resolve: {
      alias: [{ find: /^promptwire$/u, replacement: join(root, 'src', 'browser.ts') }],
    },
    worker: { format: 'es' },
    server: { fs: { allow: [root] } },
    build: { chunkSizeWarningLimit: 2_000 },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Guide', link: '/guide/' },
      { text: 'Command', link: '/cli' },
      { text: 'Modules', link: '/api/' },
      { text: 'How it works', link: '/how-it-works/jobs' },
    ],
    sidebar: groupsOf(pagePaths()).map(({ text, pages }) => ({
      text,
      collapsed: ['Errors', 'Modules', 'Reasons and measurements'].includes(text),
      items: pages.map((path) => ({ text: titleOf(path), link: `/${path.replace(/(^|\/)index$/u, '$1')}` })),
    })),
    socialLinks: [{ icon: 'github', link: manifest.homepage }],
  },
});
