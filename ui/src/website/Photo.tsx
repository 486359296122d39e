// A picture of the school in the width that a screen needs; its place is kept while it loads.
import type { Picture } from '../api-types.ts';

/** `sizes` says how wide it stands. One that is seen at once is loaded before anything else. */
type PhotoProps = { picture: Picture; sizes: string; isFirst?: boolean };

export function Photo({ picture: { src, srcset, width, height, alt }, sizes, isFirst = false }: PhotoProps) {
  return (
    <img
      src={src}
      className="photo"
      srcSet={srcset}
      sizes={sizes}
      width={width}
      height={height}
      alt={alt}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
      decoding="async"
    />
  );
}
