/** Labels of domain names in other scripts than ASCII (RFC 3492, with the numbers of its section 5). */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const LAST_CODE = 0x10_ffff;

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

const threshold = (k: number, bias: number) => Math.min(Math.max(k - bias, T_MIN), T_MAX);

/** A label without its `xn--`: `müller` is `mller-kva`. */
export function encodePunycode(label: string): string {
  const codes = [...label].map((c) => c.codePointAt(0) ?? 0);
  let out = codes
    .filter((c) => c < FIRST_CODE)
    .map((c) => String.fromCharCode(c))
    .join('');
  const basic = out.length;
  if (basic > 0) out += '-';
  let [next, delta, bias, done] = [FIRST_CODE, 0, FIRST_BIAS, basic];
  while (done < codes.length) {
    const least = Math.min(...codes.filter((c) => c >= next));
    delta += (least - next) * (done + 1);
    next = least;
    for (const code of codes) {
      if (code < next) delta += 1;
      if (code !== next) continue;
      let rest = delta;
      for (let k = BASE; ; k += BASE) {
        const t = threshold(k, bias);
        if (rest < t) break;
        out += DIGITS.charAt(t + ((rest - t) % (BASE - t)));
        rest = Math.floor((rest - t) / (BASE - t));
      }
      out += DIGITS.charAt(rest);
      bias = adapt(delta, done + 1, done === basic);
      delta = 0;
      done += 1;
    }
    delta += 1;
    next += 1;
  }
  return out;
}

/** The other way; `null` for what no label encodes to. */
export function decodePunycode(text: string): string | null {
  const end = text.lastIndexOf('-');
  const codes = [...text.slice(0, Math.max(0, end))].map((c) => c.charCodeAt(0));
  let [code, at, bias] = [FIRST_CODE, 0, FIRST_BIAS];
  for (let i = end + 1; i < text.length; ) {
    const before = at;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = i < text.length ? DIGITS.indexOf(text.charAt(i)) : -1;
      i += 1;
      if (digit < 0) return null;
      at += digit * weight;
      const t = threshold(k, bias);
      if (digit < t) break;
      weight *= BASE - t;
      if (!Number.isSafeInteger(weight) || !Number.isSafeInteger(at)) return null;
    }
    const count = codes.length + 1;
    bias = adapt(at - before, count, before === 0);
    code += Math.floor(at / count);
    at %= count;
    if (code > LAST_CODE) return null;
    codes.splice(at, 0, code);
    at += 1;
  }
  return String.fromCodePoint(...codes);
}
