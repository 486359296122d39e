//! Allow-list of PDF objects: for each kind, the entries needed to draw it (ISO 32000-2). Actions, scripts,
//! attachments, forms, media, metadata and structure are not listed and so never copied.

/// Kind of an object, which determines the copied entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A number, name, string, boolean, or a list of these.
    Plain,
    /// A stream of bytes or operators without further entries.
    Bytes,
    Resources,
    GraphicsState,
    SoftMask,
    /// A name, or a list of [`Self::ColorOperand`].
    Color,
    /// A name, number, string, another colour space, or a [`Self::ColorPart`].
    ColorOperand,
    /// A dictionary or stream in a colour space: white points, profiles, functions, colorants.
    ColorPart,
    ColorProcess,
    Function,
    Pattern,
    Shading,
    /// An image or a form, depending on its subtype.
    XObject,
    Image,
    Form,
    Group,
    Font,
    FontDescriptor,
    FontFile,
    Encoding,
    CharacterMap,
    CharacterCollection,
    /// The settings of a filter.
    FilterSettings,
    /// An optional content group, or a rule that combines them.
    Layer,
    LayerUsage,
    LayerState,
    LayerConfiguration,
    LayerEvent,
    LayerProperties,
    /// An output intent.
    OutputIntent,
}

/// Cardinality of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Multiplicity {
    One(Shape),
    /// One or a list of them, possibly mixed with numbers.
    Many(Shape),
    /// A dictionary with names chosen by the file as keys, as in resources.
    Named(Shape),
}

use Multiplicity::{Many, Named, One};
use Shape::{
    Bytes, CharacterCollection, CharacterMap, Color, ColorPart, ColorProcess, Encoding, FilterSettings,
    FontDescriptor, FontFile, Form, Function, GraphicsState, Group, Image, Layer, LayerConfiguration,
    LayerEvent, LayerProperties, LayerState, LayerUsage, OutputIntent, Pattern, Plain, Resources, Shading,
    SoftMask, XObject,
};

/// An entry that is copied.
pub type EntryRule = (&'static str, Multiplicity);

/// Resources of a page or form.
pub const RESOURCES: &[EntryRule] = &[
    ("ExtGState", Named(GraphicsState)),
    ("ColorSpace", Named(Color)),
    ("Pattern", Named(Pattern)),
    ("Shading", Named(Shading)),
    ("XObject", Named(XObject)),
    ("Font", Named(Shape::Font)),
    ("Properties", Named(Layer)),
];

impl Shape {
    /// Whether this shape is a stream with content.
    pub fn is_stream(self) -> bool {
        matches!(
            self,
            Self::Bytes
                | Self::ColorPart
                | Self::Function
                | Self::Pattern
                | Self::Shading
                | Self::Image
                | Self::Form
                | Self::FontFile
                | Self::CharacterMap
                | Self::Encoding
        )
    }

    /// Allowed entries with their shapes.
    #[expect(clippy::too_many_lines, reason = "a table, one line for each entry")]
    pub fn entries(self) -> &'static [EntryRule] {
        match self {
            Plain | Bytes | Color | Self::ColorOperand | XObject => &[],
            Resources => RESOURCES,
            GraphicsState => &[
                ("Type", One(Plain)),
                ("LW", One(Plain)),
                ("LC", One(Plain)),
                ("LJ", One(Plain)),
                ("ML", One(Plain)),
                ("D", One(Plain)),
                ("RI", One(Plain)),
                ("OP", One(Plain)),
                ("op", One(Plain)),
                ("OPM", One(Plain)),
                ("Font", Many(Shape::Font)),
                ("BG", One(Function)),
                ("BG2", One(Function)),
                ("UCR", One(Function)),
                ("UCR2", One(Function)),
                ("TR", Many(Function)),
                ("TR2", Many(Function)),
                ("FL", One(Plain)),
                ("SM", One(Plain)),
                ("SA", One(Plain)),
                ("BM", One(Plain)),
                ("SMask", One(SoftMask)),
                ("CA", One(Plain)),
                ("ca", One(Plain)),
                ("AIS", One(Plain)),
                ("TK", One(Plain)),
            ],
            SoftMask => &[
                ("Type", One(Plain)),
                ("S", One(Plain)),
                ("G", One(Form)),
                ("BC", One(Plain)),
                ("TR", One(Function)),
            ],
            ColorPart => &[
                ("WhitePoint", One(Plain)),
                ("BlackPoint", One(Plain)),
                ("Gamma", One(Plain)),
                ("Matrix", One(Plain)),
                ("Range", One(Plain)),
                ("N", One(Plain)),
                ("Alternate", One(Color)),
                ("Subtype", One(Plain)),
                ("Colorants", Named(Color)),
                ("Process", One(ColorProcess)),
                ("FunctionType", One(Plain)),
                ("Domain", One(Plain)),
                ("Size", One(Plain)),
                ("BitsPerSample", One(Plain)),
                ("Order", One(Plain)),
                ("Encode", One(Plain)),
                ("Decode", One(Plain)),
                ("C0", One(Plain)),
                ("C1", One(Plain)),
                ("Functions", Many(Function)),
                ("Bounds", One(Plain)),
            ],
            ColorProcess => &[("ColorSpace", One(Color)), ("Components", One(Plain))],
            Function => &[
                ("FunctionType", One(Plain)),
                ("Domain", One(Plain)),
                ("Range", One(Plain)),
                ("Size", One(Plain)),
                ("BitsPerSample", One(Plain)),
                ("Order", One(Plain)),
                ("Encode", One(Plain)),
                ("Decode", One(Plain)),
                ("C0", One(Plain)),
                ("C1", One(Plain)),
                ("N", One(Plain)),
                ("Functions", Many(Function)),
                ("Bounds", One(Plain)),
            ],
            Pattern => &[
                ("Type", One(Plain)),
                ("PatternType", One(Plain)),
                ("PaintType", One(Plain)),
                ("TilingType", One(Plain)),
                ("BBox", One(Plain)),
                ("XStep", One(Plain)),
                ("YStep", One(Plain)),
                ("Resources", One(Resources)),
                ("Matrix", One(Plain)),
                ("Shading", One(Shading)),
                ("ExtGState", One(GraphicsState)),
            ],
            Shading => &[
                ("ShadingType", One(Plain)),
                ("ColorSpace", One(Color)),
                ("Background", One(Plain)),
                ("BBox", One(Plain)),
                ("AntiAlias", One(Plain)),
                ("Domain", One(Plain)),
                ("Matrix", One(Plain)),
                ("Function", Many(Function)),
                ("Coords", One(Plain)),
                ("Extend", One(Plain)),
                ("BitsPerCoordinate", One(Plain)),
                ("BitsPerComponent", One(Plain)),
                ("BitsPerFlag", One(Plain)),
                ("Decode", One(Plain)),
                ("VerticesPerRow", One(Plain)),
            ],
            Image => &[
                ("Type", One(Plain)),
                ("Subtype", One(Plain)),
                ("Width", One(Plain)),
                ("Height", One(Plain)),
                ("BitsPerComponent", One(Plain)),
                ("ColorSpace", One(Color)),
                ("Intent", One(Plain)),
                ("ImageMask", One(Plain)),
                ("Mask", Many(Image)),
                ("Decode", One(Plain)),
                ("Interpolate", One(Plain)),
                ("SMask", One(Image)),
                ("SMaskInData", One(Plain)),
                ("Matte", One(Plain)),
                ("OC", One(Layer)),
            ],
            Form => &[
                ("Type", One(Plain)),
                ("Subtype", One(Plain)),
                ("FormType", One(Plain)),
                ("BBox", One(Plain)),
                ("Matrix", One(Plain)),
                ("Resources", One(Resources)),
                ("Group", One(Group)),
                ("OC", One(Layer)),
            ],
            Group => &[
                ("Type", One(Plain)),
                ("S", One(Plain)),
                ("CS", One(Color)),
                ("I", One(Plain)),
                ("K", One(Plain)),
            ],
            Shape::Font => &[
                ("Type", One(Plain)),
                ("Subtype", One(Plain)),
                ("BaseFont", One(Plain)),
                ("FirstChar", One(Plain)),
                ("LastChar", One(Plain)),
                ("Widths", One(Plain)),
                ("FontDescriptor", One(FontDescriptor)),
                ("Encoding", One(Encoding)),
                ("ToUnicode", One(CharacterMap)),
                ("DescendantFonts", Many(Shape::Font)),
                ("CIDSystemInfo", One(CharacterCollection)),
                ("DW", One(Plain)),
                ("W", One(Plain)),
                ("DW2", One(Plain)),
                ("W2", One(Plain)),
                ("CIDToGIDMap", One(Bytes)),
                ("FontBBox", One(Plain)),
                ("FontMatrix", One(Plain)),
                ("CharProcs", Named(Bytes)),
                ("Resources", One(Resources)),
            ],
            FontDescriptor => &[
                ("Type", One(Plain)),
                ("FontName", One(Plain)),
                ("FontFamily", One(Plain)),
                ("FontStretch", One(Plain)),
                ("FontWeight", One(Plain)),
                ("Flags", One(Plain)),
                ("FontBBox", One(Plain)),
                ("ItalicAngle", One(Plain)),
                ("Ascent", One(Plain)),
                ("Descent", One(Plain)),
                ("Leading", One(Plain)),
                ("CapHeight", One(Plain)),
                ("XHeight", One(Plain)),
                ("StemV", One(Plain)),
                ("StemH", One(Plain)),
                ("AvgWidth", One(Plain)),
                ("MaxWidth", One(Plain)),
                ("MissingWidth", One(Plain)),
                ("FontFile", One(FontFile)),
                ("FontFile2", One(FontFile)),
                ("FontFile3", One(FontFile)),
                ("CharSet", One(Plain)),
            ],
            FontFile => &[
                ("Subtype", One(Plain)),
                ("Length1", One(Plain)),
                ("Length2", One(Plain)),
                ("Length3", One(Plain)),
            ],
            // Encoding of a simple font, or a character map.
            Encoding => &[
                ("Type", One(Plain)),
                ("BaseEncoding", One(Plain)),
                ("Differences", One(Plain)),
                ("CMapName", One(Plain)),
                ("CIDSystemInfo", One(CharacterCollection)),
                ("WMode", One(Plain)),
                ("UseCMap", One(CharacterMap)),
            ],
            CharacterMap => &[
                ("Type", One(Plain)),
                ("CMapName", One(Plain)),
                ("CIDSystemInfo", One(CharacterCollection)),
                ("WMode", One(Plain)),
                ("UseCMap", One(CharacterMap)),
            ],
            CharacterCollection => {
                &[("Registry", One(Plain)), ("Ordering", One(Plain)), ("Supplement", One(Plain))]
            }
            FilterSettings => &[
                ("Predictor", One(Plain)),
                ("Colors", One(Plain)),
                ("BitsPerComponent", One(Plain)),
                ("Columns", One(Plain)),
                ("K", One(Plain)),
                ("EndOfLine", One(Plain)),
                ("EncodedByteAlign", One(Plain)),
                ("Rows", One(Plain)),
                ("EndOfBlock", One(Plain)),
                ("BlackIs1", One(Plain)),
                ("DamagedRowsBeforeError", One(Plain)),
                ("ColorTransform", One(Plain)),
                ("JBIG2Globals", One(Bytes)),
            ],
            Layer => &[
                ("Type", One(Plain)),
                ("Name", One(Plain)),
                ("Intent", One(Plain)),
                ("Usage", One(LayerUsage)),
                ("OCGs", Many(Layer)),
                ("P", One(Plain)),
                ("VE", Many(Layer)),
            ],
            LayerUsage => {
                &[("View", One(LayerState)), ("Print", One(LayerState)), ("Export", One(LayerState))]
            }
            LayerState => {
                &[("ViewState", One(Plain)), ("PrintState", One(Plain)), ("ExportState", One(Plain))]
            }
            LayerProperties => &[("OCGs", Many(Layer)), ("D", One(LayerConfiguration))],
            LayerConfiguration => &[
                ("Name", One(Plain)),
                ("Intent", One(Plain)),
                ("BaseState", One(Plain)),
                ("ON", Many(Layer)),
                ("OFF", Many(Layer)),
                ("AS", Many(LayerEvent)),
            ],
            OutputIntent => {
                &[("OutputConditionIdentifier", One(Plain)), ("DestOutputProfile", One(ColorPart))]
            }
            LayerEvent => &[("Event", One(Plain)), ("OCGs", Many(Layer)), ("Category", One(Plain))],
        }
    }
}
