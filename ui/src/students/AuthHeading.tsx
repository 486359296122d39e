// The heading of the open tab.
import { type ReactNode, useEffect, useRef } from 'react';

type AuthHeadingProps = {
  /** Set if a button that is now gone led here: takes the focus, which arrow keys on the tabs keep. */
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
