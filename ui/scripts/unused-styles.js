// PostCSS plugin: removes Pico's rules for elements and states that the interface does not have. Pico's modules are too
// coarse for it; `styles.js` fails if a component draws one of the elements after all.

export const unusedElements = /^(abbr|canvas|h5|h6|hgroup|hr|mark|optgroup|sub|sup|tfoot)\b/;
const unusedStates = /^(blockquote footer|a\[role|\[role=['"]?link|\[dir|:{1,2}-moz)|-ms-|\.striped|select\[multiple|webkit-input-placeholder|\[aria-invalid=['"]?false/;

/** @returns {import('postcss').Plugin} */
export const dropUnusedStyles = () => ({
  postcssPlugin: 'drop-unused-styles',
  OnceExit(root) {
    root.walkRules((rule) => {
      const used = rule.selectors.filter((selector) => !unusedElements.test(selector) && !unusedStates.test(selector));
      if (used.length === 0) rule.remove();
      else if (used.length < rule.selectors.length) rule.selectors = used;
    });
  },
});
