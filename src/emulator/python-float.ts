/** A number that is written with a decimal point even where it is whole: `7.0`. */
export class PythonFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}
