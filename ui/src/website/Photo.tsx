// A responsive picture, whose space is reserved while it loads.
import type { Picture } from '../api-types.ts';

/** `sizes` is its rendered width. A picture above the fold is loaded first. */
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
