// The school's two colours as the server derives them (src/school/look.rs), for the sample: colours of the navy or
// brass family take the chosen hue and keep their relative luminance (WCAG 2.2).
type Triple = [number, number, number];

export const navy = '#0d1e45';
export const brass = '#b98a2e';

/** Half-width of a family's hue range, in degrees. */
const navySpan = 38;
const brassSpan = 30;
const minChroma = 0.013;
const maxStrength = 1.5;
/** Semantic colours stay unchanged. */
const meanings = /^--(danger|success|green|yellow|blue|red|pico-icon|qr)/;

const isColour = /^#[\da-f]{6}$/;
const map = (triple: Triple, turn: (part: number) => number) => triple.map(turn) as Triple;

function linear(colour: string): Triple {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255) as Triple;
  return map(parts, (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

function ofLinear(triple: Triple): string {
  const bytes = map(triple, (part) => {
    const within = Math.min(1, Math.max(0, part));
    return Math.round((within <= 0.0031308 ? within * 12.92 : 1.055 * within ** (1 / 2.4) - 0.055) * 255);
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function luminance(colour: string): number {
  const [red, green, blue] = linear(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Lightness, chroma and hue in degrees (Björn Ottosson, Oklab, 2020). */
function lch(colour: string): Triple {
  const [red, green, blue] = linear(colour);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const hue = (Math.atan2(b, a) * 180) / Math.PI;
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, Math.hypot(a, b), (hue + 360) % 360];
}

function ofLch(lightness: number, chroma: number, hue: number): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return ofLinear([
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]);
}

/** A colour with another family's hue and its own luminance. */
export function withHueOf(colour: string, from: string, to: string): string {
  const [[, own], [, base], [, wanted, hue]] = [lch(colour), lch(from), lch(to)];
  const chroma = own * Math.min(wanted / base, maxStrength);
  const light = luminance(colour);
  let [low, high] = [0, 1];
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    if (luminance(ofLch(middle, chroma, hue)) < light) low = middle;
    else high = middle;
  }
  const far = (one: string) => Math.abs(luminance(one) - light);
  const [one, other] = [ofLch(low, chroma, hue), ofLch(high, chroma, hue)];
  return far(one) <= far(other) ? one : other;
}

function isOf(colour: string, family: string, span: number): boolean {
  const [[, chroma, hue], [, , center]] = [lch(colour), lch(family)];
  return chroma >= minChroma && Math.abs(((hue - center + 540) % 360) - 180) <= span;
}

/** The interface's colours (`tokens` is their style sheet) for a school with these two, as custom properties. */
export function paletteOf(tokens: string, main: string | null, accent: string | null): Record<string, string> {
  const turn = (colour: string) => {
    if (main && isColour.test(main) && isOf(colour, navy, navySpan)) return withHueOf(colour, navy, main);
    if (accent && isColour.test(accent) && isOf(colour, brass, brassSpan)) return withHueOf(colour, brass, accent);
    return colour;
  };
  const declarations = [...tokens.matchAll(/^ *(--[\w-]+): (.*);$/gm)].map(([, name = '', value = '']) => [
    name,
    meanings.test(name) ? value : value.replaceAll(/#[\da-f]{6}/gi, turn),
  ]);
  return Object.fromEntries(declarations.filter(([name]) => !name?.startsWith('--pico-icon'))) as Record<string, string>;
}
