// All tests of a file see translated pages.
import { translatePage } from './translated.ts';

translatePage();
