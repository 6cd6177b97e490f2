/** Something that the local server did not expect: the answer is 500 with two lines of plain text. */
export class ServerTrouble extends Error {
  override readonly name = 'ServerTrouble';
}
