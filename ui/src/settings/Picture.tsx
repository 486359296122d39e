// An uploaded picture, cropped as the site shows it.
import type { UploadedPicture } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';

type PictureProps = {
  picture: UploadedPicture | undefined;
  alt: string;
  /** Square, uncropped and on any background, as a crest is shown. */
  look?: 'square' | 'crest';
};

const looks: Record<'square' | 'crest', Record<string, string>> = {
  square: { '--ratio': '1' },
  crest: { '--ratio': '2', '--fit': 'contain' },
};

export function Picture({ picture, alt, look }: PictureProps) {
  if (!picture) return <Notice kind="plain"><p>This picture is no longer there. Please upload it again.</p></Notice>;
  const { src, srcset, width, height } = picture;
  return <img className="settings-picture" style={look && looks[look]} src={src} srcSet={srcset} sizes="30rem" width={width} height={height} alt={alt || 'Not described yet'} loading="lazy" />;
}
