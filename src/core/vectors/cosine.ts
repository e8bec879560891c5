/** The cosine of the angle between two vectors of the same length; 0 where one of them has no direction. */
export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [product, first, second] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [value, beside] = [one[at] ?? 0, other[at] ?? 0];
    product += value * beside;
    first += value * value;
    second += beside * beside;
  }
  return first > 0 && second > 0 ? product / Math.sqrt(first * second) : 0;
}
