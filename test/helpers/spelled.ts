import fc from 'fast-check';

/** Spellings of a text of ASCII: each character as it is, percent encoded once or twice, or escaped as JSON and logs do. */
export const spelled = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(...Array.from(text, (character) => fc.constantFrom(...spellingsOf(character))))
    .map((parts) => parts.join(''));

const spellingsOf = (character: string): readonly string[] => {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return [
    character,
    ...[hex, hex.toUpperCase()].flatMap((digits) => [
      `%${digits}`,
      `%25${digits}`,
      `\\x${digits}`,
      `\\u00${digits}`,
      `\\\\u00${digits}`,
    ]),
  ];
};
