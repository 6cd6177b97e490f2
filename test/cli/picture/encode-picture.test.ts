import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { encodePicture, pictureKind } from '../../../src/cli/picture/encode-picture.js';
import { flatJpeg, png } from '../helpers/pictures.js';

const room = { columns: 20, rows: 5 };
const small = png(2, 3, (x, y) => [x * 100, y * 100, 9]);
const jpeg = flatJpeg(64, 64, [10, 20, 30]);

describe('encodePicture', () => {
  it('hands JPEG and PNG to iTerm2 as they are', () => {
    for (const image of [small, jpeg]) {
      const sequence = encodePicture('iterm', image, room)?.sequence ?? '';
      const [, header, payload = ''] = /^\u001B\]1337;File=(.*):(.*)\u0007$/u.exec(sequence) ?? [];
      expect(header).toBe(`inline=1;size=${image.length};height=5;preserveAspectRatio=1`);
      expect(Buffer.from(payload, 'base64').equals(image)).toBe(true);
    }
  });

  it('hands PNG to kitty as it is, and asks it not to answer nor to move the cursor', () => {
    const sequence = encodePicture('kitty', small, room)?.sequence ?? '';
    const [, control, payload = ''] = /^\u001B_G(.*?);(.*)\u001B\\$/u.exec(sequence) ?? [];
    expect(control).toBe('a=T,f=100,i=7321,p=1,r=5,C=1,q=2,m=0');
    expect(Buffer.from(payload, 'base64').equals(small)).toBe(true);
  });

  it('hands JPEG to kitty as pixels, in chunks of which all but the last say that more come', () => {
    const sequence = encodePicture('kitty', jpeg, room)?.sequence ?? '';
    const chunks = [...sequence.matchAll(/\u001B_G(.*?);(.*?)\u001B\\/gu)].map(([, control, payload]) => ({
      control,
      payload,
    }));
    expect(chunks[0]?.control).toBe('a=T,f=24,s=64,v=64,i=7321,p=1,r=5,C=1,q=2,m=1');
    expect(chunks.slice(1).map(({ control }) => control)).toEqual(['m=1', 'm=1', 'm=0']);
    expect(chunks.every(({ payload = '' }) => payload.length <= 4096)).toBe(true);
    const pixels = Buffer.from(chunks.map(({ payload }) => payload).join(''), 'base64');
    expect(pixels.length).toBe(64 * 64 * 3);
  });

  it('draws two pixels a cell with half-blocks, the last row of an odd height on the terminal’s own ground', () => {
    expect(encodePicture('half-blocks', small, room)?.sequence.split('\r\n')).toEqual([
      '\u001B[38;2;0;0;9m\u001B[48;2;0;100;9m▀\u001B[38;2;100;0;9m\u001B[48;2;100;100;9m▀\u001B[0m',
      '\u001B[38;2;0;200;9m\u001B[49m▀\u001B[38;2;100;200;9m\u001B[49m▀\u001B[0m',
    ]);
  });

  it('tells the rows that it takes', () => {
    const kinds = ['iterm', 'kitty', 'half-blocks'] as const;
    expect(kinds.map((kind) => encodePicture(kind, small, room)?.rows)).toEqual([5, 5, 2]);
  });

  it('keeps half-blocks inside the room', () => {
    const rows = encodePicture('half-blocks', jpeg, room)?.sequence.split('\r\n') ?? [];
    expect(rows).toHaveLength(5);
    expect(rows.map((row) => row.split('▀').length - 1)).toEqual([10, 10, 10, 10, 10]);
  });

  it.each(['iterm', 'kitty', 'half-blocks', 'none'] as const)(
    'shows nothing of other bytes with %s',
    (kind) => {
      const hostile = new TextEncoder().encode('\u001B]0;owned\u0007');
      expect(encodePicture(kind, hostile, room)).toBeUndefined();
    },
  );
});

describe('pictureKind', () => {
  it.each([
    ['iterm', { TERM_PROGRAM: 'iTerm.app', TERM: 'xterm-256color', COLORTERM: 'truecolor' }],
    ['iterm', { TERM_PROGRAM: 'WezTerm' }],
    ['iterm', { LC_TERMINAL: 'iTerm2', TERM: 'xterm-256color' }],
    ['kitty', { TERM: 'xterm-kitty', COLORTERM: 'truecolor' }],
    ['kitty', { KITTY_WINDOW_ID: '1', TERM: 'xterm-256color' }],
    ['kitty', { TERM_PROGRAM: 'ghostty' }],
    ['half-blocks', { TERM: 'xterm-256color', COLORTERM: 'truecolor' }],
    ['half-blocks', { COLORTERM: '24bit' }],
    [
      'half-blocks',
      { TERM: 'tmux-256color', TMUX: '/tmp/x', TERM_PROGRAM: 'iTerm.app', COLORTERM: 'truecolor' },
    ],
    ['half-blocks', { TERM: 'screen-256color', KITTY_WINDOW_ID: '1', COLORTERM: 'truecolor' }],
    ['none', { TERM: 'tmux-256color', TMUX: '/tmp/x', KITTY_WINDOW_ID: '1' }],
    ['none', { TERM: 'xterm-256color' }],
    ['none', { TERM: 'dumb', COLORTERM: 'truecolor', TERM_PROGRAM: 'iTerm.app' }],
    ['none', {}],
  ] as const)('is %s for %j', (kind, env) => {
    expect(pictureKind(env)).toBe(kind);
  });
});
