// The heading of what stands on the open tab.
import { type ReactNode, useEffect, useRef } from 'react';

type AuthHeadingProps = {
  /** A button led here and is gone; the arrow keys that move along the tabs keep the focus. */
  takesFocus: boolean;
  children: ReactNode;
};

export function AuthHeading({ takesFocus, children }: AuthHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);

  return <h2 ref={heading} tabIndex={-1}>{children}</h2>;
}
